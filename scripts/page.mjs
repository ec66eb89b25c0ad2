// The page: built by Vite into ui/dist, which the app embeds.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, UI } from './env.mjs';
import { Stop, run } from './run.mjs';

const BUILT = join(UI, 'dist', 'index.html');
const SOURCES = ['src', 'public', 'index.html', 'report.html', 'vite.config.ts', 'svelte.config.js', 'package.json'];

/** The newest change under a path, 0 when it does not exist. */
export function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** True when nothing the page is made of has changed since it was built. */
export function fresh(
  built = BUILT,
  sources = [...SOURCES.map((name) => join(UI, name)), join(ROOT, 'package-lock.json')],
) {
  return existsSync(built) && sources.every((path) => newest(path) <= statSync(built).mtimeMs);
}

/** Builds the page unless it is fresh: a page that does not change is an app that is not compiled again. */
export async function buildPage() {
  if (fresh()) return;
  const code = await run(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: UI });
  if (code !== 0) throw new Stop('The page could not be built; the message is above.');
}

/** `npm run -s page`, as a suite of the tests. */
export default async function () {
  await buildPage();
  console.log('ui/dist is up to date');
}
