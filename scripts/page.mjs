// The pages: built by Vite before anything that embeds them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, RUST, UI } from './env.mjs';
import { Stop, run } from './run.mjs';

// The window, which the app embeds, and the report's page, which app and command line carry (src-tauri/crates/page).
const PAGES = [
  { built: join(UI, 'dist', 'index.html'), config: 'vite.config.ts' },
  { built: join(RUST, 'crates', 'page', 'built', 'report.html'), config: 'vite.report.config.ts' },
];
const SOURCES = [
  ...['src', 'public', 'index.html', 'report.html', 'svelte.config.js', 'package.json'],
  ...PAGES.map(({ config }) => config),
];

/** The newest change under a path, 0 when it does not exist. */
export function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** True when nothing the page is made of has changed since it was built. */
export function fresh(built, sources = [...SOURCES.map((name) => join(UI, name)), join(ROOT, 'package-lock.json')]) {
  return existsSync(built) && sources.every((path) => newest(path) <= statSync(built).mtimeMs);
}

/** Builds the pages that are not fresh: a page that does not change is an app that is not compiled again. */
export async function buildPage({ stdio = 'inherit' } = {}) {
  for (const { built, config } of PAGES) {
    if (fresh(built)) continue;
    const argv = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config];
    const code = await run(process.execPath, argv, { cwd: UI, stdio });
    if (code !== 0) throw new Stop('The page could not be built; the message is above.');
  }
}

/** `npm run -s page`, as a suite of the tests. */
export default async function () {
  await buildPage();
  console.log('The window’s page and the report’s are up to date.');
}
