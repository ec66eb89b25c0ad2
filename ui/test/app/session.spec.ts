// Session files in the shipped binary: one comes back as it was saved, on a machine where its capture lies elsewhere;
// one whose capture is another says so.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start } from './app';

const CAPTURE = join(ROOT, 'traces', 'tsch-slow-chain5-default', 'radiolog.txt.gz');
const folder = mkdtempSync(join(tmpdir(), 'rtoscope-session-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A session of `CAPTURE` as it was saved on another machine, and its capture beside it. */
function saved(sha256: string): string {
  const octets = readFileSync(CAPTURE);
  copyFileSync(CAPTURE, join(folder, 'day.txt.gz'));
  const file = {
    ...{ format: 'rtoscope-session', version: 1, program: 'RTOscope 0.1.0', current: 0, view: 'figures' },
    captures: [
      {
        ...{ name: 'day.txt.gz', sample: null, selection: 7, playhead: 30e9, association: 1, tags: { room: 'cellar' } },
        files: [{ name: 'day.txt.gz', path: '/home/somebody/day.txt.gz', sha256, octets: octets.length }],
        decode: { fcs: 'auto', ports: [], rc_option: null, contexts: [], keys: 0, addresses: [], unpack_ratio: null },
        ...{ window: [20e9, 60e9], flags: [{ at: 31e9, note: 'the storm' }] },
      },
    ],
    algorithms: [{ id: 'cocoa_plus', params: { k_weak: 2 } }],
    ...{ baseline: null, metrics: null, what_if: { id: 'cocoa_plus', params: { k_weak: 3 } }, kept: [] },
    sweep: { picture: 'curve', over: null, across: null, measure: null },
    figures: { recipe: 'rto_box', switches: [{ recipe: 'rto_box', params: { box: 'minmax' } }], without: [] },
    replay: { channel: 'empirical', workload: 'auto', seed: 7, replicates: 20 },
    report: { title: 'A day', notes: '', sections: [], figures: [] },
  };
  const path = join(folder, `${sha256.slice(0, 8)}.rtoscope.json`);
  writeFileSync(path, JSON.stringify(file));
  return path;
}

test('a session comes back as it was', async () => {
  const app = await start(saved(createHash('sha256').update(readFileSync(CAPTURE)).digest('hex')));
  const { session } = app;
  const text = (selector: string) =>
    session.execute<string>(`return document.querySelector(arguments[0])?.textContent ?? ''`, selector);
  try {
    await session.until('its figure', `return document.querySelector('.sheet .panels .panel svg path') !== null`);
    expect(await text('[role=tab][aria-selected=true]')).toBe('Figures');
    // The whiskers of scenario S0, as in the study's figure.
    expect(await text('.sheet')).toMatch(/minimum/i);
    expect(await text('.clock .now')).toContain('0:30');
    await session.execute(`document.querySelector('#tab-timeline').click()`);
    await session.until(
      'its flag',
      `return document.querySelector('svg.axis')?.textContent.includes('the storm') ?? false`,
    );
    expect(await session.execute(`return document.querySelectorAll('dialog[open]').length`)).toBe(0);
    await session.execute(`document.querySelector('#tab-whatif').click()`);
    await session.until('its curve', `return document.querySelector('.response') !== null`);
    const changed = `return [...document.querySelectorAll('.param.changed label')].map((label) => label.getAttribute('for'))`;
    expect(await session.execute(changed)).toEqual([expect.stringMatching(/-k_weak$/)]);
  } finally {
    await app.close();
  }
});

test('another capture in its place is reported', async () => {
  const app = await start(saved('ab'.repeat(32)));
  const { session } = app;
  try {
    await session.until(
      'the word',
      `return document.querySelector('dialog[open][aria-label="Captures of the session"]') !== null`,
    );
    const text = await session.execute<string>(`return document.querySelector('dialog[open]').textContent`);
    expect(text).toContain('day.txt.gz');
    expect(text).toContain('other octets');
  } finally {
    await app.close();
  }
});
