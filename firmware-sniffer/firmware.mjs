// `npm run firmware`: builds the sniffer's images into firmware-sniffer/build. `-- nordic` and `-- ti` build them with the
// vendors' USB identities, `-- fuzz SECONDS` fuzzes the core. `npm test` runs `unit`, `image`, `cc2531` and `live`.
import { join } from 'node:path';
import { ENV, binary } from '../scripts/env.mjs';
import { TEST } from '../scripts/needs.mjs';
import { Stop, run } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';
import { environment } from '../scripts/venv.mjs';

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
  const interpreter = await environment('firmware-python', REQUIREMENTS, 'the emulator for the firmware’s tests');
  return run(interpreter, [join(FIRMWARE, 'test', 'run.py'), folder, ...words], {
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
