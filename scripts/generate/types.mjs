// `npm run gen [-- --check]`: writes the TypeScript types of everything that crosses the bridge. `--check` only
// compares.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ENV, ROOT, RUST, TARGET, UI } from '../env.mjs';
import { Stop, run } from '../run.mjs';

const COMMITTED = join(UI, 'src', 'ipc', 'gen');
const FRESH = join(TARGET, 'gen');
// The whole workspace, so that nothing outside it is compiled with other features (see env.mjs).
const EXPORT = ['test', '--release', '--locked', '--workspace', '--features', 'api/ts', '--test', 'export'];

export default async function (args) {
  rmSync(FRESH, { recursive: true, force: true });
  mkdirSync(FRESH, { recursive: true });
  const code = await run('cargo', EXPORT, { cwd: RUST, env: { ...ENV, TS_RS_EXPORT_DIR: FRESH } });
  if (code !== 0) throw new Stop('The types could not be generated; the message is above.');

  const stale = differences(COMMITTED, FRESH);
  const names = stale.map((name) => `  ${relative(ROOT, join(COMMITTED, name))}`).join('\n');
  if (stale.length === 0) {
    console.log('Generated types are up to date.');
  } else if (args.includes('--check')) {
    throw new Stop(`Generated types are stale; run \`npm run gen\` and commit\n\n${names}\n`);
  } else {
    rmSync(COMMITTED, { recursive: true, force: true });
    cpSync(FRESH, COMMITTED, { recursive: true });
    console.log(`Generated types have changed:\n${names}`);
  }
}

/** Names of the files that differ between two folders. */
export function differences(left, right) {
  const list = (folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
      : [];
  const bytes = (folder, name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null);
  const names = new Set([...list(left), ...list(right)]);
  return [...names].filter((name) => bytes(left, name) !== bytes(right, name)).sort();
}
