// Reports, sessions, preferences, the tour: what is kept and handed on.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT, RUST, binary } from '../../../scripts/env.mjs';
import { canonical } from '../../src/ipc/canonical';
import type { AnswerView, ReportView, SessionFile } from '../../src/ipc/gen/types';
import { SIZES, THEMES, axe, lastSent, open, sent, shoot } from './window';

const drawn = (page: Page) => page.waitForSelector('.paper table[aria-label=Measures] .range');
const folder = mkdtempSync(join(tmpdir(), 'rtoscope-'));
const FIXTURES = join(import.meta.dirname, '../fixtures');
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('a report as a file of its own at $width x $height', async (size) => {
    const html = join(folder, 'report.html');
    if (!existsSync(html)) make(html);
    // Only a browser that may open files can show it as a reader does: the page is given its own text.
    const page = await open('', { theme, size });
    await page.route('**/made-report.html', (route) => route.fulfill({ path: html, contentType: 'text/html' }));
    await page.goto(new URL('made-report.html', page.url()).href);
    await page.waitForSelector('table[aria-label=Measures] .range');
    await page.waitForSelector('figure svg path');
    expect(await page.locator('.lacks').count(), 'every question of the page has its reply').toBe(0);
    expect(await page.title()).toContain('RTOscope report');
    // The report opens with the verdict that it holds, in the core's words, and calls nodes as its session does.
    const held = JSON.parse((await page.locator('#rtoscope-report').textContent()) ?? '') as ReportView;
    const verdict = held.replies.find(({ name }) => name === 'verdict')?.json as AnswerView;
    await expect
      .poll(() => page.getByRole('region', { name: 'Verdict' }).locator('h3, .line ~ p').allTextContents())
      .toEqual([verdict.headline, ...verdict.details]);
    expect(await page.getByText('boiler').count()).toBeGreaterThan(3);
    expect(await page.getByText(/\bmote 3\b/).allTextContents()).toEqual([]);
    expect(await page.locator('[aria-labelledby=report-figures] .panel svg path').count()).toBeGreaterThan(0);
    await page.waitForTimeout(300);
    await shoot(page, `report-file-${theme}`);
    await page.screenshot({
      path: join(import.meta.dirname, `../shots/report-whole-${theme}-${size.width}.png`),
      fullPage: true,
    });
    expect(await axe(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, 'nothing is cut off at the right').toBeLessThanOrEqual(0);
  });

  test.each(SIZES)('the report of a study as a file of its own at $width x $height', async (size) => {
    const html = join(folder, 'study.html');
    if (!existsSync(html)) makeStudy(html);
    const page = await open('', { theme, size });
    await page.route('**/made-study.html', (route) => route.fulfill({ path: html, contentType: 'text/html' }));
    await page.goto(new URL('made-study.html', page.url()).href);
    await page.waitForSelector('figure svg path');
    expect(await page.title()).toBe('Timers on the bundled worlds · RTOscope study');
    expect(await page.locator('figure').count()).toBe(3);
    for (const name of ['Tasks by scenario', 'Captures', 'Completion, mean (duration_mean, s)'])
      expect(await page.getByRole('region', { name, exact: true }).count(), name).toBe(1);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Which timer wins where: save as SVG' }).click();
    expect((await saved).suggestedFilename()).toBe('winners.svg');
    await page.waitForTimeout(300);
    await page.screenshot({
      path: join(import.meta.dirname, `../shots/study-whole-${theme}-${size.width}.png`),
      fullPage: true,
    });
    expect(await axe(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, 'nothing is cut off at the right').toBeLessThanOrEqual(0);
  });

  test('the report of a study is printed whole on A4', async () => {
    const html = join(folder, 'study.html');
    if (!existsSync(html)) makeStudy(html);
    // A4 between the margins of `@page` in app.css: 186 mm × 269 mm.
    const page = await open('', { theme, size: { width: 703, height: 1016 } });
    await page.route('**/made-study.html', (route) => route.fulfill({ path: html, contentType: 'text/html' }));
    await page.goto(new URL('made-study.html', page.url()).href);
    await page.waitForSelector('figure svg path');
    await page.emulateMedia({ media: 'print' });
    const scrollers = page.locator('.scroll, pre');
    const hidden = await scrollers.evaluateAll((all) =>
      all.map((one) => {
        const inside = one.firstElementChild ?? one;
        const beyond = Math.max(inside.scrollWidth - one.clientWidth, one.scrollWidth - one.clientWidth);
        return [one.getAttribute('aria-label'), beyond, one.scrollHeight - one.clientHeight];
      }),
    );
    expect(hidden.length).toBeGreaterThan(4);
    expect(hidden.filter(([, right, below]) => Number(right) > 1 || Number(below) > 1)).toEqual([]);
    const paper = await page.evaluate(() => getComputedStyle(document.querySelector('article')!).backgroundColor);
    expect(paper).toBe('rgb(255, 255, 255)');
    await shoot(page, `study-printed-${theme}`);
  });

  test('the preferences, the tour and a session whose capture is gone are accessible', async () => {
    const page = await open('/timeline', { theme, prefs: {} });
    await page.getByRole('dialog', { name: 'Tour' }).waitFor();
    await page.waitForSelector('.ring');
    expect(await axe(page), 'tour').toEqual([]);
    await shoot(page, `tour-1-${theme}`);
    for (const [step, title] of [
      'Ask what another timer would have done',
      'Move a parameter',
      'Hand it on',
    ].entries()) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('heading', { name: title }).waitFor();
      await page.waitForTimeout(600);
      await shoot(page, `tour-${step + 2}-${theme}`);
      expect(await axe(page), title).toEqual([]);
    }
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('dialog', { name: 'Tour' }).waitFor({ state: 'hidden' });
    await page.reload();
    await page.waitForSelector('.cap.on');
    await page.waitForTimeout(300);
    expect(await page.getByRole('dialog', { name: 'Tour' }).count(), 'never again').toBe(0);

    await page.keyboard.press('Control+,');
    await page.getByRole('dialog', { name: 'Preferences' }).waitFor();
    await page.getByLabel('keep them in the preferences file').check();
    expect(await page.getByText('Anyone who can read your files').isVisible()).toBe(true);
    await shoot(page, `preferences-${theme}`);
    expect(await axe(page), 'preferences').toEqual([]);
    await page.getByLabel('CoAP ports').fill('99999');
    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toMatch(/^Ports are/);
    await page.keyboard.press('Escape');
  });

  test('a session whose capture is missing asks for it', async () => {
    const path = '/recorded/moved-live-sleepy-default.rtoscope.json';
    const page = await open('/timeline', { theme, prefs: { toured: true, recent: [{ path, at: 'session' }] } });
    await page.waitForSelector('.cap.on');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Open again');
    await page
      .getByRole('option', { name: /^Open again/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Captures of the session' }).waitFor();
    await page.getByRole('button', { name: 'Find it…' }).waitFor();
    await shoot(page, `session-missing-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on with what is here' }).click();
  });
});

test('while a session is opened nothing is replayed under the settings of before', async () => {
  const sample = 'tsch-slow-chain5-default';
  const path = `/recorded/moved-${sample}.rtoscope.json`;
  const prefs = { toured: true, seed: 77, recent: [{ path, at: 'session' }] };
  const { file } = JSON.parse(readFileSync(`${FIXTURES}/session_read-moved-${sample}.json`, 'utf8')) as {
    file: SessionFile;
  };
  const [capture] = file.captures;
  if (!capture) throw new Error('no capture in the session');
  const opening = { path: null, sample, merge: null, decode: { ...capture.decode, keys: [] } };
  const page = await open('/timeline', { prefs }, async (page) => {
    // The recorded session is one whose capture is gone, and in the report.
    await page.route(`**/fixtures/session_read-moved-${sample}.json`, (route) => {
      const here = {
        ...file,
        captures: [{ ...capture, sample }],
        view: 'timeline',
        replay: { ...file.replay, seed: 5 },
      };
      return route.fulfill({ json: { file: here, found: [{ state: 'same', paths: [] }] } });
    });
    await page.route('**/fixtures/index.json', async (route) => {
      const index = (await (await route.fetch()).json()) as Record<string, string>;
      const opened = index[`open ${canonical({ sample })}`];
      await route.fulfill({ json: { ...index, [`open ${canonical(opening)}`]: opened } });
    });
  });
  const seeds = async () => (await sent(page, 'replay')).map(({ seed }) => seed);
  await page.waitForFunction(() => {
    const counts = [...document.querySelectorAll('.field .end .count')];
    return counts.length > 0 && counts.every((count) => count.textContent !== '');
  });
  const before = (await seeds()).length;
  expect((await seeds()).at(-1), 'the settings of before').toBe(77);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Open again');
  await page
    .getByRole('option', { name: /^Open again/ })
    .first()
    .click();
  await expect.poll(async () => (await seeds()).at(-1), { timeout: 10_000 }).toBe(5);
  expect((await seeds()).slice(before)).not.toContain(77);
});

test('by keyboard alone: import, select, compare, what-if, report', async () => {
  const page = await open('/timeline');
  await page.waitForSelector('.field .end .count:not(:empty)');
  const region = async (name: string) => {
    for (let k = 0; k < 6; k += 1) {
      const now = await page.evaluate(() =>
        document.activeElement?.closest('[data-region]')?.getAttribute('data-region'),
      );
      if (now === name) return;
      await page.keyboard.press('F6');
    }
    throw new Error(`F6 does not reach ${name}`);
  };
  const tabTo = async (selector: string, most = 60) => {
    for (let k = 0; k < most; k += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  // Import: another bundled capture, through the palette.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Needless storm');
  await page
    .getByRole('option', { name: /Needless storm/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.cap.on')?.textContent?.includes('Needless storm'));
  await page.waitForSelector('.field .end .count:not(:empty)');
  // Select: an exchange of the first lane.
  await region('view');
  await tabTo('[aria-roledescription=plot]');
  for (let k = 0; k < 7; k += 1) await page.keyboard.press('+');
  await page.waitForTimeout(400);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.classList.contains('proxy'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.drawer table');
  // Compare.
  await page.keyboard.press('4');
  await page.waitForSelector('table[aria-label=Measures] .range');
  // In What-if: another value, and back.
  await page.keyboard.press('5');
  await page.waitForSelector('.versus td.now');
  await region('view');
  await tabTo('.param input[type=text]');
  const value = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
  const before = await value();
  await page.keyboard.press('ArrowUp');
  await page.waitForSelector('.param.changed');
  expect(await value()).not.toBe(before);
  await region('bar');
  await page.keyboard.press('Control+z');
  await page.waitForSelector('.param.changed', { state: 'detached' });
  await page.keyboard.press('Control+y');
  await page.waitForSelector('.param.changed');
  await page.keyboard.press('Control+z');
  // Report: the tab after the last number, its title, its file.
  await page.keyboard.press('End');
  await page.waitForSelector('.reporting');
  await drawn(page);
  await region('view');
  await tabTo('#report-title');
  await page.keyboard.type('A day on the roof');
  await page.getByRole('heading', { level: 1, name: 'A day on the roof' }).waitFor();
  await page.keyboard.press('Control+Shift+e');
  await page.locator('.toast', { hasText: 'Report saved as needless-storm.html' }).waitFor();
  const report = await lastSent(page, 'report');
  expect(report).toMatchObject({
    path: '/recorded/needless-storm.html',
    file: {
      format: 'rtoscope-session',
      version: 1,
      view: 'report',
      report: { title: 'A day on the roof', sections: [] },
    },
  });
  expect(report?.file.captures[report.file.current]?.selection, 'the exchange that was selected').not.toBeNull();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+s');
  await page.locator('.toast', { hasText: 'Session saved' }).waitFor();
  const saved = await lastSent(page, 'session_write');
  expect(saved?.path).toMatch(/^\/recorded\/.*\.rtoscope\.json$/);
  expect(saved?.file, 'a report and a session file hold one document').toEqual(report?.file);
});

test('undo takes back a selection and a window too', async () => {
  const page = await open('/exchanges');
  await page.waitForSelector('[role=row][aria-rowindex="2"] svg');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.drawer table');
  await page.keyboard.press('Control+z');
  await page.waitForSelector('.drawer', { state: 'detached' });
  await page.keyboard.press('Control+Shift+z');
  await page.waitForSelector('.drawer table');
});

test.each(['report', 'figures'])('on paper %s stands alone, in the whole width and in light', async (view) => {
  const page = await open(`/${view}`, { theme: 'dark', prefs: { toured: true, recipe: 'rto_box' } });
  await page.waitForSelector(
    view === 'report' ? '.paper table[aria-label=Measures] .range' : '.sheet .panels svg path',
  );
  await page.emulateMedia({ media: 'print' });
  await page.waitForTimeout(300);
  const { width, height, background } = await page.evaluate(() => {
    const printed = document.querySelector('.printed');
    const box = printed?.getBoundingClientRect();
    const probe = document.createElement('i');
    probe.style.color = 'var(--bg-1)';
    printed?.append(probe);
    return { width: box?.width ?? 0, height: box?.height ?? 0, background: getComputedStyle(probe).color };
  });
  expect(width).toBeGreaterThan(1200);
  expect(height, 'nothing scrolls on paper').toBeGreaterThan(view === 'report' ? 1600 : 300);
  expect(background).toBe('rgb(255, 255, 255)');
  const others = page.locator('nav, header [role=tab], footer').filter({ visible: true });
  expect(await others.count(), 'nothing else').toBe(0);
  await shoot(page, `print-${view}`);
});

test('a figure of a report is saved as a drawing that stands alone', async () => {
  const page = await open('/report');
  await drawn(page);
  await page.waitForSelector('figure svg path');
  await page.waitForTimeout(500);
  expect(await page.locator('.lacks').allInnerTexts(), 'every request of the page has its reply').toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Timeline: save as SVG' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('timeline.svg');
  const file = join(folder, 'timeline.svg');
  await download.saveAs(file);
  const svg = readFileSync(file, 'utf8');
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+"/);
  expect(svg).not.toMatch(/var\(|class=|href="http/);
  expect(svg.match(/<path/g)?.length ?? 0).toBeGreaterThan(5);
  const shown = await page.context().newPage();
  await shown.setContent(svg);
  await shown.screenshot({ path: join(import.meta.dirname, '../shots/report-figure.png') });
});

/** A report as the command line writes it, of the first bundled capture. */
/** Runs the study of the documentation, and writes its report. */
function makeStudy(html: string): void {
  const rows = join(folder, 'timers');
  for (const words of [
    ['study', 'run', 'docs/study/timers.toml', '--out', rows, '--quiet'],
    ['study', 'report', rows, '--out', html],
  ])
    execFileSync(binary('rtoscope'), words, { cwd: ROOT, stdio: 'inherit' });
}

function make(html: string): void {
  const spec = join(folder, 'session.rtoscope.json');
  const sample = 'tsch-slow-chain5-default';
  const recorded = JSON.parse(readFileSync(join(FIXTURES, 'index.json'), 'utf8')) as Record<string, string>;
  const saved = Object.entries(recorded).find(([key]) => key.startsWith('session_write') && key.includes(sample));
  if (!saved) throw new Error('no session was recorded');
  const file = JSON.parse(readFileSync(join(FIXTURES, saved[1]), 'utf8')) as {
    captures: { window: number[]; nodes?: unknown }[];
    report: unknown;
  };
  file.captures[0]!.nodes = [{ node: 'mote 3', name: 'boiler', place: null }];
  file.captures[0]!.window = [0, 400e9];
  file.report = {
    ...{ title: 'Four clients on a slow chain', notes: 'Recorded in Cooja, TSCH.\nOne storm.', sections: [] },
    figures: [{ recipe: 'rto_box', params: {} }],
  };
  writeFileSync(spec, JSON.stringify(file));
  execFileSync(binary('rtoscope'), ['report', '--sample', sample, '--spec', spec, '--out', html, '-q'], { cwd: RUST });
}
