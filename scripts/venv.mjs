// Virtual environments of Python for tests and builds: outside of the clone, one for each interpreter and list of
// packages.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENV, ROOT } from './env.mjs';
import { Stop, read, run } from './run.mjs';

/**
 * Path of the Python of an environment called `name` with the packages of the file `requirements`, made once. `what`
 * says what is installed.
 * @throws {Stop} where they cannot be installed, such as without a package index
 */
export async function environment(name, requirements, what) {
  const version = read('python3', ['-c', 'import sys; print(sys.version, sys.executable)']);
  const key = createHash('sha256')
    .update(version + readFileSync(requirements, 'utf8'))
    .digest('hex');
  const cache = process.env.XDG_CACHE_HOME || join(ENV.HOME ?? ROOT, '.cache');
  const folder = join(cache, 'rtoscope', `${name}-${key.slice(0, 12)}`);
  const python = join(folder, 'bin', 'python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  console.log(`Installing ${what} (from PyPI) in ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [python, ...pip, '-r', requirements],
  ]) {
    const code = await run(command, args, { cwd: dirname(requirements) });
    if (code !== 0) throw new Stop(`${command} ${args.join(' ')} failed with exit code ${code}.`);
  }
  writeFileSync(complete, '');
  return python;
}
