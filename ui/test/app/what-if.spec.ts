// The sentence the product makes true, in the shipped binary: open a capture, see its exchanges, move a parameter, see
// the numbers change.
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

const press = (key: string) =>
  app.session.execute(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))`,
    key,
  );

/** Waits for the whole run: numbers of a part of the replicates are shown meanwhile. */
const whole = () =>
  app.session.until('the whole run', `return document.querySelector('.versus:not(.pending) td.now') !== null`);

async function shoot(name: string) {
  const png = await app.session.screenshot();
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, `app-${name}.png`), png);
  const { distinct, largest } = colours(decode(png));
  expect(distinct).toBeGreaterThan(64);
  expect(largest).toBeLessThan(0.95);
}

test('the capture named on the command line is open, with a lane for every client', async () => {
  await app.session.find('.cap.on');
  // Import has ended in its summary.
  await press('1');
  await app.session.until(
    'four lanes with counts',
    `return document.querySelectorAll('.field .end .count:not(:empty)').length >= 4`,
  );
  expect(await app.session.execute(`return document.querySelector('.cap.on').textContent`)).toContain('radiolog');
  await shoot('timeline');
});

test('a parameter moved by keyboard changes what would have happened', async () => {
  await press('5');
  await app.session.until('numbers', `return /\\d/.test(document.querySelector('.versus td.now')?.textContent ?? '')`);
  const numbers = `[...document.querySelectorAll('.versus td.now')].map((cell) => cell.textContent.trim()).join('|')`;
  const before = await app.session.execute<string>(`return ${numbers}`);
  const moved = `
    const field = [...document.querySelectorAll('.param')].find((p) => p.querySelector('.unit')?.textContent?.includes('×'));
    const input = field.querySelector('input[type=text]');
    input.focus();
    input.value = '1';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.blur();`;
  await app.session.execute(moved);
  const changed = `const now = ${numbers}; return now !== arguments[0] && now.split('|').every((n) => /\\d/.test(n))`;
  await app.session.until('other numbers', changed, before);
  // The trade-off picture follows.
  await app.session.until('a curve', `return document.querySelectorAll('.picture svg path').length > 3`);
  await shoot('what-if');
});

test('a rule of the sender changes every algorithm, and undo takes it back', async () => {
  const mean = `document.querySelector('.versus td.now').textContent.trim()`;
  await whole();
  const before = await app.session.execute<string>(`return ${mean}`);
  await app.session.execute(`
    document.querySelector('.form summary').click();
    const field = [...document.querySelectorAll('.param')].find((p) => p.textContent.includes('MAX_RETRANSMIT'));
    const input = field.querySelector('input[type=text]');
    input.focus();
    input.value = '0';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.blur();`);
  // No client sends twice: no needless copies, whatever the timer.
  await app.session.until('none', `return /^0(\\.0*)?(\\s|$)/.test(${mean})`);
  await shoot('what-if-rule');
  await app.session.execute(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))`,
  );
  await app.session.until('what was before', `return ${mean} === arguments[0]`, before);
});

test('a timer that one client runs changes less than one that all run, and undo takes that back', async () => {
  const mean = `document.querySelector('.versus td.now').textContent.trim()`;
  await whole();
  const before = await app.session.execute<string>(`return ${mean}`);
  await app.session.execute(`
    const part = [...document.querySelectorAll('details')].find((d) => d.textContent.includes('from when on'));
    part.querySelector('summary').click();
    [...part.querySelectorAll('button')].find((b) => b.textContent.trim().startsWith('Only ')).click();`);
  await app.session.until('other numbers', `return ${mean} !== arguments[0] && /\\d/.test(${mean})`, before);
  expect(
    await app.session.execute(
      `return [...document.querySelectorAll('.clients input')].filter((i) => i.checked).length`,
    ),
  ).toBe(1);
  await shoot('what-if-part');
  await app.session.execute(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))`,
  );
  await app.session.until('what was before', `return ${mean} === arguments[0]`, before);
});
