// `npm run calibrate [-- DIR …]`: predicts every run in DIR (default: ../shared) from every other run of its world, scores
// the predictions, prints the tables and writes them and the rows to files. Without arguments it also renews the generated
// tables of the bundled runs in docs/calibration.md. Needs Rust only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, TARGET, binary } from '../env.mjs';
import { buildCli } from '../rtoscope.mjs';
import { Stop, run } from '../run.mjs';
import { block } from './block.mjs';

const PAGE = join(ROOT, 'docs', 'calibration.md');

export default async function (args) {
  const built = await buildCli();
  if (built !== 0) return built;
  const shared = process.env.RTOSCOPE_SHARED ?? join(ROOT, '..', 'shared');
  const [folder, ...rest] = args.length > 0 && !args[0].startsWith('-') ? args : [shared, ...args];
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

/** Writes the tables of the bundled runs into docs/calibration.md; a test of the command line compares them. */
function renew() {
  const line = ['calibrate', join(ROOT, 'traces'), '--markdown'];
  const { status, stdout } = spawnSync(binary('rtoscope'), line, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw new Stop('The bundled runs could not be scored.');
  writeFileSync(PAGE, block(readFileSync(PAGE, 'utf8'), 'calibration', `\n${stdout}\n`, 'docs/calibration.md'));
  console.log('docs/calibration.md has the tables of the bundled runs.');
}
