import { expect, it } from 'vitest';
import type { CopyView, ExchangeSide, ExchangeView, TimerKind, TimerView } from '../../ipc/gen/types';
import { fateOf, verdict } from './verdict';

const S = 1e9;
const timer = (seconds: number, known: TimerKind, error = 0): TimerView => ({
  value: seconds * S,
  error: error * S,
  known,
});
const copy = (change: Partial<CopyView>): CopyView => ({
  sent: 0,
  arrived: null,
  timer: null,
  gap: null,
  wait: null,
  fate: 'answered',
  rtt: null,
  needless: false,
  evidence: 'proven',
  ...change,
});
const side = (copies: CopyView[], change: Partial<ExchangeSide> = {}): ExchangeSide => ({
  run: null,
  copies,
  end: 7.222 * S,
  outcome: 'acked',
  ...change,
});
const view = (...sides: ExchangeSide[]): ExchangeView => ({
  exchange: 1,
  association: 3,
  mid: 2425,
  token: 'ab',
  code: '0.03',
  head: 'seen',
  ready: null,
  handed_over: { at: 0, error: 0 },
  related: [],
  sides,
});
const text = (sides: ExchangeSide[], names: string[] = []) =>
  verdict(view(...sides), names)
    .map((piece) => piece.text)
    .join('')
    .replaceAll('\u00a0', ' ');

it('says how much too early the timer was, and what another would have done', () => {
  const recorded = side([
    copy({ timer: timer(2.986, 'inferred', 0.01), gap: 2.987 * S, rtt: 7.222 * S }),
    copy({ sent: 2.987 * S, rtt: 11.075 * S, needless: true }),
  ]);
  const cocoa = side([copy({ timer: timer(5.41, 'armed'), evidence: 'modelled' })], { run: 1 });
  expect(text([recorded, cocoa], ['CoCoA'])).toBe(
    'Timer 1 ran out 4.24 s before the reply. CoCoA arms 5.41 s and waits it out. Fates proven by what was seen.',
  );
});

it('counts the wait before the air to what a timer was too short by', () => {
  const [first, second] = [
    copy({
      timer: timer(2.053, 'log', 0.001),
      gap: 6.08 * S,
      wait: { value: 0.5 * S, error: 0.005 * S },
      rtt: 7.222 * S,
    }),
    copy({ sent: 6.08 * S, needless: true }),
  ];
  expect(text([side([first, second])])).toMatch(/^Timer 1 ran out 5.67 s before the reply\./);
});

it('calls no gap on the air a timer', () => {
  const [first, second] = [copy({ gap: 6.08 * S, rtt: 7.222 * S }), copy({ sent: 6.08 * S, needless: true })];
  const said = text([side([first, second])]);
  expect(said).toMatch(/^Copy 2 was on the air 1.14 s before the reply to copy 1\./);
  expect(said).not.toMatch(/[Tt]imer/);
  // Within its error, a timer is not said to be too short.
  const near = copy({ timer: timer(7.1, 'inferred', 0.2), gap: 7.1 * S, rtt: 7.222 * S });
  expect(text([side([near, second])])).not.toMatch(/ran out/);
});

it('is plain about losses, give-ups and ends', () => {
  expect(text([side([copy({ fate: 'request_lost' }), copy({ sent: 2 * S })])])).toMatch(
    /^Copy 1: request lost. Closed after 7.22 s/,
  );
  expect(text([side([copy({ fate: 'lost' })], { outcome: 'abandoned', end: null })])).toMatch(/^No reply to one copy/);
  expect(text([side([copy({ fate: 'unknown', evidence: 'unknown' })], { outcome: 'open', end: null })])).toMatch(
    /capture ends before.*cannot tell every fate\.$/,
  );
});

it('names fates', () => {
  expect(fateOf(copy({ needless: true, fate: 'reply_lost' }))).toBe('needless, reply lost');
  expect(fateOf(copy({ fate: 'lost' }))).toBe('lost');
});
