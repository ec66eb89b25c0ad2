import { describe, expect, it } from 'vitest';
import type { AssociationView, CaptureView } from '../../ipc/gen/types';
import { said, timersSaid } from './said';

const S = 1e9;
const clients = (n: number) => Array.from({ length: n }, () => ({}) as AssociationView);
const view = (change: Partial<CaptureView>) =>
  ({
    ...{ frames: 100, messages: 40, exchanges: 10, copies: 20, associations: clients(1) },
    fates: { answered: 8, needless: 12, reply_lost: 0, lost: 0, unknown: 0 },
    notes: [],
    ...change,
  }) as CaptureView;
const text = (line: string | undefined) => line?.replaceAll('\u00a0', ' ');

describe('the first line of a summary', () => {
  it('says how much was needless', () => {
    expect(said('Storm', view({}))).toMatchObject({
      kind: 'good',
      headline: 'Storm is open, and six in ten copies were needless',
    });
    const few = { answered: 98, needless: 2, reply_lost: 0, lost: 0, unknown: 0 };
    expect(said('Calm', view({ copies: 100, fates: few })).headline).toBe(
      'Calm is open, and one in 50 copies was needless',
    );
    const none = { answered: 20, needless: 0, reply_lost: 0, lost: 0, unknown: 0 };
    expect(text(said('Calm', view({ fates: none })).headline)).toBe(
      'Calm is open: 10 exchanges, no needless copy and none lost',
    );
  });

  it('says how much was lost where that is more', () => {
    const sniffed = { answered: 304, needless: 5, reply_lost: 67, lost: 113, unknown: 0 };
    expect(said('Lab', view({ copies: 489, fates: sniffed })).headline).toBe(
      'Lab is open, and four in ten copies were lost or unanswered',
    );
  });

  it('keeps both ends of a long name', () => {
    const long = 'doc-eval-comp-ieee802154-coap-fetch-proxied0-b32-None-None-50x5.0-A-297517-1645906273';
    expect(said(long, view({})).headline).toMatch(/^doc-eval-comp-ieee802154-…517-1645906273 is open, and /);
  });

  it('says what frames without CoAP are, where the notes tell', () => {
    const none = { exchanges: 0, messages: 0, copies: 0, associations: [] };
    const why = (code: string) =>
      text(said('x', view({ ...none, notes: [{ code, count: 3_255 }] as CaptureView['notes'] })).help);
    expect(why('zigbee')).toMatch(/^None of the 100 frames carries CoAP that could be read\. 3.255 are of ZigBee/);
    expect(why('wrong-key')).toMatch(/encrypted at the link layer/);
    expect(why('bad-fcs')).toMatch(/UDP port that nobody named/);
  });

  it('is no success where there is nothing to analyse, or no reply', () => {
    const zigbee = said('zigbee', view({ exchanges: 0, messages: 0, copies: 0, associations: [] }));
    expect([zigbee.kind, zigbee.headline]).toEqual(['nothing', 'Nothing to analyse in zigbee']);
    expect(zigbee.help).toMatch(/carries CoAP that could be read/);
    const silent = said(
      'x',
      view({ exchanges: 909, fates: { answered: 0, needless: 0, reply_lost: 0, lost: 0, unknown: 20 } }),
    );
    expect(silent.kind).toBe('doubtful');
    expect(text(silent.headline)).toBe('1 client, 909 exchanges, no reply captured');
    expect(silent.help).toMatch(/client’s side only/);
  });
});

it('tells timers from gaps on the air, and names the wait before the air', () => {
  const timers = {
    ...{ log: 938, inferred: 0, gaps: 0, first: [2 * S, 3 * S], first_gaps: [0.19 * S, 14 * S] },
    wait: [1.9 * S, 19 * S],
  } as CaptureView['timers'];
  expect(timersSaid({ timers }).map(text)).toEqual([
    'The clients’ log says 938 timers, first ones of 2.00 s to 3.00 s.',
    'First gaps on the air spread over 190 ms to 14.0 s, since copies wait in their client before they are sent; the log’s timers are shown.',
    'Before it is on the air a first copy waits 1.90 s on average: exchanges take 17.1 s from the air, 19.0 s from the application.',
  ]);
  const sniffed = { ...timers, log: 0, gaps: 12, first: null, wait: null };
  expect(timersSaid({ timers: sniffed }).map(text)).toEqual([
    'First gaps on the air spread over 190 ms to 14.0 s, and are not taken for timers where copies may have waited in their client.',
  ]);
});
