// `npm run calibrate [-- DIR …]`: predicts every run in DIR (default: ../shared) from every other run of its world,
// scores the predictions, prints the tables and writes them and the rows to files. Without arguments it also renews the
// generated tables of the bundled runs in docs/calibration.md and README.md. Needs Rust only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SHARED, TARGET, binary } from '../env.mjs';
import { build } from '../rtoscope.mjs';
import { Stop, run } from '../run.mjs';
import { block } from './block.mjs';

const PAGE = join(ROOT, 'docs', 'calibration.md');
const README = join(ROOT, 'README.md');

export default async function (args) {
  const built = await build('rtoscope');
  if (built !== 0) return built;
  const [folder, ...rest] = args.length > 0 && !args[0].startsWith('-') ? args : [SHARED, ...args];
  if (existsSync(folder)) {
    const out = join(TARGET, 'calibration');
    mkdirSync(out, { recursive: true });
    const files = { json: join(out, 'calibration.json'), markdown: join(out, 'calibration.md') };
    const line = ['calibrate', folder, `--json=${files.json}`, `--markdown=${files.markdown}`, ...rest];
    const code = await run(binary('rtoscope'), line, { cwd: ROOT });
    if (code !== 0) return code;
    process.stdout.write(readFileSync(files.markdown, 'utf8'));
    console.log(`\nWritten: ${files.markdown}, ${files.json}`);
  } else {
    console.log(`${folder} does not exist: only the bundled runs are scored.`);
  }
  if (args.length === 0) renew();
  return 0;
}

/**
 * Writes the tables of the bundled runs; tests of the command line and of these scripts compare them. Throws Stop where
 * the runs cannot be scored.
 */
function renew() {
  const line = ['calibrate', join(ROOT, 'traces'), '--markdown'];
  const { status, stdout } = spawnSync(binary('rtoscope'), line, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw new Stop('The bundled runs could not be scored.');
  const page = block(readFileSync(PAGE, 'utf8'), 'calibration', `\n${stdout}\n`, 'docs/calibration.md');
  writeFileSync(PAGE, page);
  writeFileSync(README, withSummary(readFileSync(README, 'utf8'), page));
  console.log('docs/calibration.md and README.md have the tables of the bundled runs.');
}

/** Text of README.md with the summary of the tables in the text of docs/calibration.md. */
export const withSummary = (readme, page) => block(readme, 'summary', `\n${summary(page)}\n`, 'README.md');

/** The worlds of the bundled runs, from the easiest to the hardest. */
const WORLDS = {
  short: 'one client, short round trips',
  ge: 'one client, a link with good and bad states',
  sleepy: 'one client, a sleepy server',
  'chain6-periodic': 'five lossy hops, little load',
  'grid3x3-burst': 'a mesh of nine, bursts of load',
  'tsch-slow-chain5': 'a slow TSCH chain: the storm',
};

/** Rows of a Markdown table as objects by column; tables are found by the title of their first column. */
function table(text, first) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  const cells = (line) => line.slice(2, -2).split(' | ');
  const end = lines.findIndex((line, i) => i > at && !line.startsWith('|'));
  const titles = cells(lines[at]);
  return lines.slice(at + 2, end).map((line) => Object.fromEntries(cells(line).map((cell, i) => [titles[i], cell])));
}

/** Reduces the scores by world to a small table of the default channel, which the capture chooses. */
function summary(page) {
  const rows = table(page, 'scenario').filter(({ channel }) => channel === 'Chosen by the capture');
  const line = ([scenario, about]) => {
    const row = rows.find((row) => row.scenario === scenario);
    if (!row) throw new Stop(`docs/calibration.md has no scores of ${scenario}.`);
    const [error, naive] = row['completion, mean (s)'].split(' ');
    const covered = row['90 % covers'].replace(/ \(.*/, '');
    return `| ${about} | ${error} s | ${naive.slice(1, -1)} s | ${covered} | ${row['right winner']} |`;
  };
  return [
    '| world (channel *auto*, the default) | error of mean completion | naive | 90 % interval holds the truth | better timer found |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...Object.entries(WORLDS).map(line),
    '',
  ].join('\n');
}
