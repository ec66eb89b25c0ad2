// `npm run python`: builds the wheel of the package `rtoscope` and prints the line that installs it.
// `npm run python -- test`: tests it in a virtual environment. `npm run python -- bench [REPLICATES]`: measures studies
// on a cluster, as a part of `npm run bench -- study`.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENV, ROOT, RUST, TARGET, binary } from './env.mjs';
import { build as buildProgram } from './rtoscope.mjs';
import { Stop, onPath, run } from './run.mjs';
import { environment } from './venv.mjs';

const PACKAGE = join(RUST, 'crates', 'python');
const WHEELS = join(TARGET, 'wheels');

export default async function ([what = 'build', ...rest]) {
  switch (what) {
    case 'build': {
      const wheel = await build(await environment('python-build', join(PACKAGE, 'requirements-build.txt'), 'maturin'));
      console.log(`\n${wheel}\n\nInstall it, in an environment of yours:\n\n  python3 -m pip install ${wheel}`);
      return 0;
    }
    case 'test':
      return test(rest);
    case 'bench':
      return bench(rest);
    default:
      throw new Stop(`Unknown: ${what}. There are: build, test, bench.`);
  }
}

/**
 * Builds the wheel with the maturin of an environment, in Cargo's target folder; resolves to its path. Throws Stop
 * where Rust is missing or maturin fails.
 */
async function build(python) {
  if (!onPath('cargo')) throw new Stop('The wheel needs Rust: https://rustup.rs');
  rmSync(WHEELS, { recursive: true, force: true });
  const args = ['build', '--release', '--locked', '--strip', '--out', WHEELS, '--interpreter', python];
  const env = { ...ENV, CARGO: join(ROOT, 'scripts', 'cargo-of-maturin.mjs') };
  const code = await run(join(dirname(python), 'maturin'), args, { cwd: PACKAGE, env });
  if (code !== 0) throw new Stop(`maturin failed with exit code ${code}.`);
  const [wheel] = readdirSync(WHEELS).filter((name) => name.endsWith('.whl'));
  return join(WHEELS, wheel);
}

/**
 * Path of the Python of an environment with what tests need, and with the wheel, which is built, as is the command
 * line. Null where no package index can be reached; throws Stop where something fails.
 */
async function prepared() {
  let python;
  try {
    const what = 'what tests the Python package';
    python = await environment('python-test', join(PACKAGE, 'requirements-test.txt'), what);
  } catch (error) {
    if (error.name !== 'Stop') throw error;
    console.log(error.message);
    return null;
  }
  const wheel = await build(python);
  if ((await buildProgram('rtoscope')) !== 0) throw new Stop('The command line cannot be built.');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--force-reinstall'];
  if ((await run(python, [...pip, wheel])) !== 0) throw new Stop('The wheel cannot be installed.');
  return python;
}

const environmentOf = () => ({
  ...ENV,
  RTOSCOPE: binary('rtoscope'),
  RTOSCOPE_ROOT: ROOT,
  PYTHONDONTWRITEBYTECODE: '1',
});

/**
 * Tests the wheel with pytest, mypy and ruff, and against the command line; `words` are arguments of pytest. Resolves
 * to the exit code; skipped where no package index can be reached.
 */
async function test(words) {
  const python = await prepared();
  if (python === null) {
    console.log('skipped test python::package: needs a package index (PyPI)');
    return 0;
  }
  return run(python, ['-m', 'pytest', ...words], { cwd: PACKAGE, env: environmentOf() });
}

/**
 * Measures studies on a cluster of this machine. Resolves to the exit code; skipped where no package index can be
 * reached.
 */
async function bench(words) {
  const python = await prepared();
  if (python === null) return 0;
  return run(python, [join(PACKAGE, 'benches', 'cluster.py'), ...words], { cwd: PACKAGE, env: environmentOf() });
}
