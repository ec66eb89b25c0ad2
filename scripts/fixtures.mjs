// `npm run fixtures`: records the core's replies for the page's `fixture` backend (ui/test/fixtures, never committed).
import { join } from 'node:path';
import { UI, binary } from './env.mjs';
import { build } from './rtoscope.mjs';
import { run } from './run.mjs';

export default async function () {
  const code = await build('fixtures');
  return code === 0 ? run(binary('fixtures'), [join(UI, 'test', 'fixtures')]) : code;
}
