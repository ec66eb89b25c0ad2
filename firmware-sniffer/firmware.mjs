// `npm run firmware`: builds the sniffer's images into firmware-sniffer/build. `-- nordic` and `-- ti` build them with the
// vendors' USB identities, `-- fuzz SECONDS` fuzzes the core. `npm test` runs `unit`, `image`, `cc2531` and `live`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENV, ROOT, binary } from '../scripts/env.mjs';
import { TEST } from '../scripts/needs.mjs';
import { Stop, read, run } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';

const FIRMWARE = import.meta.dirname;
const REQUIREMENTS = join(FIRMWARE, 'test', 'requirements.txt');

export default async function ([what = 'all', ...rest]) {
  switch (what) {
    case 'all':
      await require('make', 'arm-none-eabi-gcc', 'sdcc', 'python3-venv');
      await images('all');
      return run('python3', [join(FIRMWARE, 'test', 'sizes.py'), join(FIRMWARE, 'build')]);
    case 'nordic':
      await require('make', 'arm-none-eabi-gcc');
      return images('nrf52840', 'USB_ID=nordic');
    case 'ti':
      await require('make', 'sdcc');
      return images('cc2531', 'USB_ID=ti');
    case 'fuzz':
      await require('make');
      await make('fuzz', `FUZZ_SECONDS=${Number(rest[0] ?? 60)}`);
      return 0;
    case 'unit':
      await make('unit', 'replay', 'coverage');
      return 0;
    case 'image':
      return nrf52840(rest);
    case 'cc2531':
      return cc2531();
    case 'live':
      return live(rest);
    default:
      throw new Stop(
        `Unknown: ${what}. There are: nordic, ti, fuzz SECONDS, unit, image, cc2531, live; or nothing, for all.`,
      );
  }
}

async function images(...args) {
  await make(...args);
  console.log(`The images are in ${join(FIRMWARE, 'build')}; firmware-sniffer/README.md says how to flash them.`);
  return 0;
}

async function make(...args) {
  const code = await run('make', ['--no-print-directory', '--silent', '--output-sync', '-j2', ...args], {
    cwd: FIRMWARE,
  });
  if (code !== 0) throw new Stop(`make ${args.join(' ')} failed with exit code ${code}; its message is above.`);
}

async function require(...ids) {
  const unmet = await setup({ rust: false, tests: TEST.filter((need) => ids.includes(need.id)) });
  if (unmet.size > 0) throw new Stop([...unmet.values()].join('\n'));
}

/** Builds both identities, since their code differs, and runs the image tests. */
async function nrf52840(words) {
  await make('nrf52840');
  await make('nrf52840', 'USB_ID=nordic');
  return python('image', words);
}

/** Runs simulated sniffers against the built `rtoscope`. */
async function live(words) {
  await make('nrf52840');
  return python('live', words, { RTOSCOPE: binary('rtoscope') });
}

async function python(folder, words, env = {}) {
  return run(await environment(), [join(FIRMWARE, 'test', 'run.py'), folder, ...words], {
    cwd: FIRMWARE,
    env: { ...ENV, ...env, FIRMWARE_BUILD: join(FIRMWARE, 'build'), PYTHONDONTWRITEBYTECODE: '1' },
  });
}

async function cc2531() {
  await make('cc2531');
  await make('cc2531', 'USB_ID=ti');
  const release = ['--release', '--locked'];
  // The emulator is a Cargo package outside the workspace, so the suites of the Rust crates do not cover it.
  for (const args of [
    ['fmt', '--check'],
    ['clippy', ...release, '--all-targets', '--', '-D', 'warnings'],
    ['test', ...release],
  ]) {
    const code = await run('cargo', args, {
      cwd: join(FIRMWARE, 'test', 'cc2531'),
      env: { ...ENV, FIRMWARE_BUILD: join(FIRMWARE, 'build') },
    });
    if (code !== 0) return code;
  }
  return 0;
}

/** Path of a Python environment with the emulator, created once for each list of packages outside the system's. */
async function environment() {
  const version = read('python3', ['-c', 'import sys; print(sys.version, sys.executable)']);
  const key = createHash('sha256')
    .update(version + readFileSync(REQUIREMENTS, 'utf8'))
    .digest('hex');
  const cache = process.env.XDG_CACHE_HOME || join(ENV.HOME ?? ROOT, '.cache');
  const folder = join(cache, 'rtoscope', `firmware-python-${key.slice(0, 12)}`);
  const python = join(folder, 'bin', 'python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  console.log(`Installing the emulator for the firmware's tests (Unicorn, from PyPI) in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [python, ...pip, '-r', REQUIREMENTS],
  ]) {
    const code = await run(command, args, { cwd: FIRMWARE });
    if (code !== 0) throw new Stop(`${command} ${args.join(' ')} failed with exit code ${code}.`);
  }
  writeFileSync(complete, '');
  return python;
}
