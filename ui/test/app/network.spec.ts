// The network view in the shipped binary: a simulated chain, its links in the table and in the picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start, type App } from './app';
import { colours, decode } from './png';

const SHOTS = join(import.meta.dirname, '../shots');
const CAPTURE = join(ROOT, 'traces', 'tsch-slow-chain5-default', 'radiolog.txt.gz');
let app: App;

beforeAll(async () => {
  app = await start(CAPTURE);
});
afterAll(() => app.close());

test('the network of a capture is drawn from the core', async () => {
  await app.session.find('.cap.on');
  await app.session.execute(`document.querySelector('#tab-network').click()`);
  await app.session.until(
    'eight links',
    `return document.querySelectorAll('[aria-label=Links] tbody tr').length === 8`,
  );
  await app.session.until(
    'a picture of five nodes',
    `return document.querySelectorAll('.graph text.name').length === 5`,
  );
  // The log of the simulator says who received each frame.
  await app.session.execute(`document.querySelector('[aria-label=Links] tbody button').click()`);
  await app.session.until(
    'what is known of a link',
    `return document.querySelector('[aria-label="Selected in the network"]').textContent.includes('the simulator’s log')`,
  );
  const png = await app.session.screenshot();
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, 'app-network.png'), png);
  const { distinct, largest } = colours(decode(png));
  expect(distinct).toBeGreaterThan(64);
  expect(largest).toBeLessThan(0.95);
});
