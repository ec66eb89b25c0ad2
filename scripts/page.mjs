// Builds the pages with Vite, before the programs that embed them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, RUST, UI } from './env.mjs';
import { Stop, run } from './run.mjs';

// The window's page is embedded in the app, the report's page in app and command line (src-tauri/crates/page).
const PAGES = [
  { built: join(UI, 'dist', 'index.html'), config: 'vite.config.ts' },
  { built: join(RUST, 'crates', 'page', 'built', 'report.html'), config: 'vite.report.config.ts' },
];
const SOURCES = [
  ...['src', 'public', 'index.html', 'report.html', 'svelte.config.js', 'package.json'],
  ...PAGES.map(({ config }) => config),
];

/** Time of the newest change under a path, ms since 1970; 0 where it does not exist. */
export function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Whether no source of a page has changed since it was built. */
export function fresh(built, sources = [...SOURCES.map((name) => join(UI, name)), join(ROOT, 'package-lock.json')]) {
  return existsSync(built) && sources.every((path) => newest(path) <= statSync(built).mtimeMs);
}

/**
 * Builds the pages that are not fresh; throws Stop where that fails. An unchanged page saves compiling the app again.
 */
export async function buildPage({ stdio = 'inherit' } = {}) {
  for (const { built, config } of PAGES) {
    if (fresh(built)) continue;
    const argv = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config];
    const code = await run(process.execPath, argv, { cwd: UI, stdio });
    if (code !== 0) throw new Stop('The page could not be built; the message is above.');
  }
}

/** Builds the pages as a suite of the tests. */
export default async function () {
  await buildPage();
  console.log('The window’s page and the report’s are up to date.');
}
