// `npm run walks`: three persons who never saw the window, each on the way to an answer that they believe. The shipped
// binary, an empty home, real clicks. Pictures of all steps are to be looked at.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHARED } from '../../../scripts/env.mjs';
import { Walk } from './walk';

/** Longest way from the start to a trusted answer on *Needless storm*, s; on a machine without other work. */
const SOON = 60;
const COOJA = join(SHARED, 'cooja', 'tsch-slow-chain5');
const CAPTURES = join(SHARED, 'captures');
const SNIFFED = join(
  CAPTURES,
  'doc-iotlab-zep',
  'doc-eval-comp-ieee802154-coap-fetch-proxied0-b32-None-None-50x5.0-A-297517-1645906273.pcap.gz',
);
const ZIGBEE = join(CAPTURES, 'whsniff-zigbee', 'zigbee.pcapng');

const LANES = `const counts = [...document.querySelectorAll('.field .end .count')];
  return counts.length > 0 && counts.every((count) => count.textContent !== '')`;
const SUMMARY = `return document.querySelector('.summary') !== null`;
/** The verdict on the whole run, not on its first replicates, and the table below it. */
const VERDICT = `return document.querySelector('section[aria-label=Verdict] h3') !== null
  && document.querySelector('section[aria-label=Verdict] .wait') === null
  && document.querySelector('table[aria-label=Measures] .range') !== null`;
const TRUST = `return document.querySelector('table[aria-label="Self-replay"] tbody tr') !== null`;
const VERDICT_WORDS = 'section[aria-label=Verdict] :is(h3, h4, p)';
const tab = (view: string) => `#tab-${view}`;
const button = (text: string, within = '') => `//${within}button[normalize-space()='${text}']`;

/** Holds the verdict that is shown to what is known of *Needless storm*: the storm ends, and real runs say so. */
async function answered(walk: Walk) {
  const said = await walk.text(VERDICT_WORDS);
  expect(said).toMatch(/the storm ends under [^.]*CoCoA\+/);
  expect(said).toMatch(/Trust: high/);
  expect(said).toMatch(/A real run of this network/);
  expect(await walk.app.session.execute(`return document.querySelectorAll('.truth').length`)).toBeGreaterThan(0);
}

test('somebody with ten minutes', async () => {
  const first = {
    what: 'the window, with a sample open',
    until: LANES,
    reads: '[aria-label=Tour]',
  };
  await Walk.take('hurried', first, [], async (walk) => {
    await walk.step({
      what: 'skip the tour, open Needless storm',
      clicks: [button('Skip'), `//button[contains(@class, 'sample')][contains(., 'Needless storm')]`],
      until: `return document.querySelector('.cap.on')?.textContent.includes('Needless storm') && (() => { ${LANES} })()`,
      reads: 'aside .sample',
    });
    await walk.step({ what: 'Compare', clicks: [tab('compare')], until: VERDICT, reads: VERDICT_WORDS });
    await answered(walk);
    expect.soft(walk.seconds, 'from the start to a trusted answer').toBeLessThanOrEqual(SOON);
    await walk.step({
      what: 'Trust, to see why',
      clicks: [button('Trust')],
      until: TRUST,
      reads: '.says h3, .says p',
    });
    await walk.step({
      what: 'What-if',
      clicks: [tab('whatif')],
      until: `return /[0-9]/.test(document.querySelector('.versus:not(.pending) td.now')?.textContent ?? '')`,
      reads: '.answer',
    });
    await walk.step({
      what: 'Use this, back from Trust, where Compare was left',
      clicks: [
        tab('compare'),
        button('Compare', 'main//'),
        button('Use this'),
        `//*[@role='menuitem'][contains(., 'CoCoA+')]`,
      ],
      until: `return document.querySelector('dialog[open]') !== null`,
    });
  });
});

test.skipIf(!existsSync(COOJA))('a protocol researcher with Cooja runs', async () => {
  const runs = ['default-seed1', 'cocoa-seed1', 'rfc6298-seed1'].map((run) => join(COOJA, run, 'radio.pcap.gz'));
  const asked = `return document.querySelector('dialog[open]') !== null`;
  const first = { what: 'three runs at once', until: asked, reads: 'dialog' };
  await Walk.take('researcher', first, runs, async (walk) => {
    await walk.step({
      what: 'open them separately',
      clicks: [button('Open separately')],
      until: `return document.querySelectorAll('.cap').length === 3 && document.querySelector('.summary') !== null`,
      reads: '.summary h2',
    });
    await walk.step({
      what: 'the first run',
      clicks: [`//div[contains(@class, 'cap')]//button[contains(@class, 'pick')]`],
      until: `return document.querySelector('.cap').matches('.on')`,
    });
    await walk.step({ what: 'Compare', clicks: [tab('compare')], until: VERDICT, reads: VERDICT_WORDS });
    await answered(walk);
    expect.soft(walk.seconds, 'from the start to a trusted answer').toBeLessThanOrEqual(SOON);
    await walk.step({ what: 'Trust', clicks: [button('Trust')], until: TRUST, reads: '.says h3, .says p' });
    await walk.step({ what: 'Timeline', clicks: [tab('timeline')], until: LANES });
    await walk.step({
      what: 'Network',
      clicks: [tab('network')],
      until: `return document.querySelector('[aria-label=Links] tbody td') !== null`,
    });
    await walk.step({
      what: 'Figures',
      clicks: [tab('figures')],
      until: `return document.querySelectorAll('.thumbnail .picture path').length > 0`,
    });
    await walk.step({
      what: 'Report',
      clicks: [tab('report')],
      until: `return document.querySelectorAll('.paper table[aria-label=Measures] .range').length > 0
        && document.querySelector('.busy-bar.slow') === null`,
    });
  });
});

test.skipIf(!existsSync(SNIFFED))('an embedded engineer with a sniffer’s captures', async () => {
  const first = {
    what: 'a capture of the sniffer',
    until: SUMMARY,
    reads: '.summary h2, .summary .line, .summary .help',
  };
  await Walk.take('engineer', first, [SNIFFED], async (walk) => {
    await walk.step({ what: 'Timeline', clicks: [tab('timeline')], until: LANES });
    await walk.step({
      what: 'Exchanges',
      clicks: [tab('exchanges')],
      until: `return document.querySelector('[role=row][aria-rowindex="2"] svg') !== null`,
    });
    await walk.step({
      what: 'Packets',
      clicks: [tab('packets')],
      until: `return document.querySelectorAll('[role=row][aria-rowindex] [role=gridcell]').length > 20`,
    });
    await walk.step({ what: 'Compare', clicks: [tab('compare')], until: VERDICT, reads: VERDICT_WORDS });
    await walk.step({
      what: 'Needless storm, to see what a storm is',
      clicks: [`//button[contains(@class, 'sample')][contains(., 'Needless storm')]`],
      until: `return document.querySelector('.cap.on')?.textContent.includes('Needless storm') && (() => { ${VERDICT} })()`,
      reads: VERDICT_WORDS,
    });
    await answered(walk);
  });
});

test.skipIf(!existsSync(ZIGBEE))('the same engineer, with captures that cannot be read', async () => {
  const first = { what: 'a capture of ZigBee', until: SUMMARY, reads: '.summary h2, .summary .help' };
  await Walk.take('zigbee', first, [ZIGBEE], async (walk) => {
    expect(await walk.text('.summary h2')).not.toBe('');
    await walk.step({ what: 'Timeline', clicks: [tab('timeline')], until: `return true` });
    await walk.step({ what: 'Compare', clicks: [tab('compare')], until: `return true` });
    await walk.step({ what: 'Packets', clicks: [tab('packets')], until: `return true` });
  });
});
