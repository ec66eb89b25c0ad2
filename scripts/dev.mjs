// `npm run dev`: serves the page alone on recorded replies and reloads it as it is edited. Needs no Rust.
import { join } from 'node:path';
import { ROOT, UI } from './env.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

export default async function (args) {
  await setup({ rust: false });
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  return run(process.execPath, [vite, '--open', '/?backend=fixture', ...args], { cwd: UI });
}
