// `npm run fixtures`: records the CLI's bytes for the page's `fixture` backend (ui/test/fixtures, never committed).
import { join } from 'node:path';
import { UI } from './env.mjs';
import rtoscope from './rtoscope.mjs';

export default () => rtoscope(['fixtures', join(UI, 'test', 'fixtures')]);
