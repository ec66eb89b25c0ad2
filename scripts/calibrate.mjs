// `npm run calibrate [-- DIR …]`: predicts every real run from every other of its world and scores it, over the runs beside
// the repository (or DIR), prints the tables and writes them and the rows beside each other. Then, where it was asked for
// nothing else, puts the table of the bundled runs into README.md, between its markers. Needs Rust and nothing else.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ENV, ROOT, RUST, TARGET, binary, cargoBuild } from './env.mjs';
import { Stop, onPath, run } from './run.mjs';

const BEGIN = '<!-- calibration -->';
const END = '<!-- /calibration -->';

export default async function (args) {
  if (!onPath('cargo')) throw new Stop('RTOscope needs Rust to build its command line: https://rustup.rs');
  const built = await run('cargo', cargoBuild('rtoscope'), { cwd: RUST, env: ENV });
  if (built !== 0) return built;
  const shared = process.env.RTOSCOPE_SHARED ?? join(ROOT, '..', 'shared');
  const [folder, ...rest] = args.length > 0 && !args[0].startsWith('-') ? args : [shared, ...args];
  if (existsSync(folder)) {
    const out = join(TARGET, 'calibration');
    mkdirSync(out, { recursive: true });
    const files = { json: join(out, 'calibration.json'), markdown: join(out, 'calibration.md') };
    const asked = ['calibrate', folder, `--json=${files.json}`, `--markdown=${files.markdown}`, ...rest];
    const code = await run(binary('rtoscope'), asked, { cwd: ROOT });
    if (code !== 0) return code;
    process.stdout.write(readFileSync(files.markdown, 'utf8'));
    console.log(`\nWritten: ${files.markdown}, ${files.json}`);
  } else {
    console.log(`${folder} is not there: only the bundled runs are scored.`);
  }
  if (args.length === 0) readme();
  return 0;
}

/** What stands in README.md is what the command prints of the bundled runs. */
function readme() {
  const path = join(ROOT, 'README.md');
  const asked = ['calibrate', join(ROOT, 'traces'), '--markdown'];
  const { status, stdout } = spawnSync(binary('rtoscope'), asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw new Stop('The bundled runs could not be scored.');
  const text = readFileSync(path, 'utf8');
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
  if (after === undefined) throw new Stop(`README.md has no ${BEGIN} … ${END}`);
  writeFileSync(path, `${before}${BEGIN}\n\n${stdout}\n${END}${after}`);
  console.log('README.md: its table is that of the bundled runs.');
}
