// `npm run -s figure -- RECIPE … [--width 88|180] [--out FILE.svg]`: draws a figure as SVG without a window, by the
// code of the page. The other arguments are those of `rtoscope study figure`, for its recipes, or of `rtoscope figure`,
// and so are the numbers.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENV, UI, binary, typedIn } from './env.mjs';
import { build } from './rtoscope.mjs';
import { Stop, exitCode } from './run.mjs';
import { nodePackages } from './setup.mjs';

/** Recipes of `rtoscope study figure`; all others are of `rtoscope figure`. */
const OF_STUDIES = new Set(['scenarios', 'factor', 'winners']);
/** Widths of the page's files, mm. */
const WIDTHS = ['88', '180'];
/**
 * Longest answer of the command line that is read, octets. Chosen here: figures of studies take some kilobytes a bar.
 */
const LONGEST = 1 << 28;

export default async function (args) {
  const { words, wide, out } = asked(args);
  await nodePackages({ stdio: ['ignore', 2, 2] });
  const built = await build('rtoscope');
  if (built !== 0) return built;
  const { error, status, signal, stdout } = spawnSync(binary('rtoscope'), words, {
    cwd: typedIn('figure'),
    env: ENV,
    encoding: 'utf8',
    maxBuffer: LONGEST,
    stdio: ['ignore', 'pipe', 2],
  });
  if (error) throw new Stop(`rtoscope did not answer: ${error.message}`);
  if (status !== 0) return exitCode(status, signal);
  const { figureFile } = await drawing();
  const svg = figureFile(JSON.parse(stdout), wide);
  if (out === null) process.stdout.write(svg);
  else write(resolve(typedIn('figure'), out), svg);
}

/**
 * Splits the arguments into the command line that makes the numbers, the width, and the file; throws Stop where that is
 * not possible.
 */
export function asked(args) {
  const words = [];
  const own = new Map([['--width', '180']]);
  for (let at = 0; at < args.length; at += 1) {
    const [name, value] = args[at].split(/=(.*)/s);
    if (name === '--format') throw new Stop('--format is SVG here; `rtoscope figure` has the others');
    if (name !== '--width' && name !== '--out') words.push(args[at]);
    else own.set(name, value ?? args[(at += 1)] ?? '');
  }
  const [wide, out] = [own.get('--width'), own.get('--out') ?? null];
  if (words.length === 0) throw new Stop('npm run -s figure -- RECIPE … [--width 88|180] [--out FILE.svg]');
  if (!WIDTHS.includes(wide)) throw new Stop(`--width is ${WIDTHS.join(' or ')} (mm), not ${wide}`);
  // No capture and no study is called so: nothing that is read can be written over.
  if (out !== null && !/\.svg$/i.test(out)) throw new Stop(`--out is a file that ends in .svg, not ${out}`);
  const command = OF_STUDIES.has(words[0]) ? ['study', 'figure'] : ['figure'];
  return { words: [...command, ...words, '--format', 'json'], wide, out };
}

/** Loads the page's drawing of figures, ui/src/figure.ts. */
export async function drawing() {
  const [{ runnerImport }, { svelte }] = await Promise.all([import('vite'), import('@sveltejs/vite-plugin-svelte')]);
  const config = { configFile: false, root: UI, logLevel: 'error', plugins: [svelte()] };
  return (await runnerImport(join(UI, 'src', 'figure.ts'), config)).module;
}

/** Writes a file whole or not at all. */
function write(path, text) {
  const beside = `${path}.${process.pid}.part`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Stop(`${path} cannot be written: ${error.message}`);
  }
}
