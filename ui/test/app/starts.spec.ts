import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start, type App } from './app';
import { colours, decode } from './png';

const SHOTS = join(import.meta.dirname, '../shots');
let app: App;

beforeAll(async () => {
  app = await start();
});
afterAll(() => app.close());

test('the window shows the page', async () => {
  await app.session.find('body *');
  expect(await app.session.title()).toContain('RTOscope');
});

test('the page has no network, not even this machine', async () => {
  let asked = 0;
  const server = createServer((_request, reply) => {
    asked += 1;
    reply.setHeader('access-control-allow-origin', '*').end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const refused = `return fetch(arguments[0]).then(() => 'answered', () => 'refused')`;
  expect(await app.session.execute(refused, `http://127.0.0.1:${String(port)}/`)).toBe('refused');
  expect(asked).toBe(0);
  server.close();
});

test('the page may only ask for our own commands', async () => {
  const asked = `return __TAURI_INTERNALS__.invoke('plugin:window|close', { label: 'main' }).then(() => 'done', String)`;
  expect(await app.session.execute(asked)).toMatch(/not allowed/);
});

test('a screenshot is not blank', async () => {
  const png = await app.session.screenshot();
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, 'app-start.png'), png);
  const { distinct, largest } = colours(decode(png));
  expect(distinct).toBeGreaterThan(16);
  expect(largest).toBeLessThan(0.99);
});
