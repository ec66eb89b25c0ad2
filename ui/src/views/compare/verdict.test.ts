import { describe, expect, it } from 'vitest';
import type { MeasuredRun, MetricSpec, MetricView, RunView } from '../../ipc/gen/types';
import { selfVerdict, verdictOf, verdictText, type Contender } from './verdict';

const spec = (name: string, unit: string): MetricSpec => ({
  ...{ name, label: name, rule: '', unit, smaller_is_better: true, headline: true },
});
const SPECS = [spec('duration_mean', 's'), spec('retries_mean', ''), spec('plr_exchange', 'fraction')];

const metric = (recorded: number, estimate: readonly [number, number, number] | null): MetricView => ({
  ...{ recorded, worst: null, best: null, another: null, support: null },
  ...{ mean: estimate?.[0] ?? null, lo90: estimate?.[1] ?? null, hi90: estimate?.[2] ?? null },
});

type Triple = readonly [number, number, number];

/** A run that completes in `seconds` (mean, lower, upper) instead of 17.12 s. */
function contender(name: string, seconds: Triple | null, more: Partial<RunView> = {}, failed?: Triple): Contender {
  const run: RunView = {
    ...{
      run: 1,
      algorithm: { id: name, params: {} },
      differences: {},
      support: null,
      copies: [],
      needless: [],
      completion_p95: [],
    },
    metrics: {
      duration_mean: metric(17.12, seconds),
      retries_mean: metric(2.21, [0.31, 0.24, 0.4]),
      plr_exchange: metric(0.004, failed ?? [0.004, 0.002, 0.006]),
    },
    ...more,
  };
  return { name, key: name, run };
}
const say = (contenders: readonly Contender[], baseline: string | null = null) =>
  verdictOf(contenders, SPECS, baseline);
const difference = (mean: number, lo90: number, hi90: number) => ({
  duration_mean: { mean, lo90, hi90, another: null },
});

describe('the verdict', () => {
  it('names the best timer, its interval, what was recorded, and what it saves', () => {
    const said = say([contender('RFC 6298', [15.4, 13.1, 16.4]), contender('CoCoA', [2.9, 2.2, 3.9])]);
    expect(said?.headline).toBe(
      'CoCoA completes an exchange in 2.9\u00a0s (90\u00a0%: 2.2 – 3.9\u00a0s) instead of 17.1\u00a0s.',
    );
    expect(said?.details).toEqual(['Retransmissions per exchange: 0.31 (0.24 – 0.40) instead of 2.21.']);
    expect(said && verdictText(said)).toContain('17.1\u00a0s. Retransmissions');
  });

  it('cannot tell where the difference to the recorded timer includes zero, also where only a digit below the shown ones differs', () => {
    for (const upper of [18.2, 17.12, 17.119_999]) {
      const said = say([contender('A', [16.2, 15.1, upper]), contender('B', [18, 16, 20])]);
      expect(said?.headline).toMatch(
        /^Cannot tell whether any of these 2 timers completes exchanges faster than the recorded 17\.1/,
      );
      expect(said?.headline).toContain('the best, A, takes 16.2');
    }
    // The paired difference decides, not the interval of the measure.
    const paired = { differences: difference(-0.9, -2.1, 0.3) };
    expect(say([contender('A', [16.2, 15.1, 16.9], paired)])?.headline).toMatch(/^Cannot tell/);
  });

  it('says that no timer is better where all are worse', () => {
    const said = say([contender('A', [19, 18.2, 20.1]), contender('B', [18.4, 17.6, 19])]);
    expect(said?.headline).toBe(
      'None of these 2 timers completes exchanges faster than the recorded 17.1\u00a0s: the nearest, B, takes 18.4\u00a0s (90\u00a0%: 17.6 – 19.0\u00a0s).',
    );
    expect(say([contender('A', [19, 18.2, 20.1])])?.headline).toMatch(/^A completes exchanges no faster: 19\.0/);
  });

  it('does not count as worse those of which this cannot be told, nor put an unsure mean before a sure one', () => {
    const said = say([contender('A', [17.6, 17.3, 18.1]), contender('B', [18.4, 16.6, 19])]);
    expect(said?.headline).toMatch(/^No timer is shown to complete exchanges faster .*: the nearest, A, takes 17\.6/);
    expect(said?.details).toContain('Cannot tell for B (16.60 – 19.00\u00a0s).');
    const sure = say([contender('A', [9, 2, 20]), contender('B', [10, 9.5, 10.5])]);
    expect(sure?.headline).toMatch(/^B completes an exchange in 10\.0/);
    expect(sure?.details).toContain('Cannot tell it from A (2.0 – 20.0\u00a0s): the intervals overlap.');
  });

  it('names those that the best cannot be told from: overlapping intervals, or paired differences where it is the baseline', () => {
    const best = contender('A', [2.9, 2.2, 3.9]);
    const near = contender('B', [3.4, 2.6, 4.8]);
    const far = contender('C', [9, 8, 10]);
    expect(say([best, near, far])?.details).toContain(
      'Cannot tell it from B (2.6 – 4.8\u00a0s): the intervals overlap.',
    );
    const told = { ...near, run: { ...near.run, differences: difference(0.5, 0.2, 0.9) } };
    const tied = { ...near, run: { ...near.run, differences: difference(0.5, -0.2, 0.9) } };
    expect(say([best, told, far], 'A')?.details.join()).not.toContain('Cannot tell');
    expect(say([best, tied, far], 'A')?.details).toContain(
      'Cannot tell it from B (2.6 – 4.8\u00a0s): the paired differences include zero.',
    );
    const many = ['B', 'C', 'D', 'E', 'F'].map((name) => contender(name, [3.4, 2.6, 4.8]));
    expect(say([best, ...many])?.details.join()).toMatch(/from B \([^)]*\), C \([^)]*\), D \([^)]*\) and 2 more: the/);
  });

  it('takes the difference to the recorded timer whatever the baseline is', () => {
    const slower = contender('A', [2.9, 2.2, 3.9], { differences: difference(0.4, 0.1, 0.9) });
    expect(say([slower, contender('B', [3, 2.9, 3.1])], 'B')?.headline).toMatch(/^A completes an exchange in 2\.9/);
  });

  it('says that a quick timer gives up on more exchanges', () => {
    const hasty = contender('A', [2.9, 2.2, 3.9], {}, [0.2, 0.1, 0.3]);
    expect(say([hasty])?.details).toEqual([
      'Retransmissions per exchange: 0.31 (0.24 – 0.40) instead of 2.21.',
      'But it gives up on more exchanges: 20\u00a0% (10 – 30\u00a0%) instead of 0\u00a0%.',
    ]);
  });

  it('names no timer where most of the best was assumed: below, above or around the recorded time', () => {
    for (const seconds of [[2.9, 2.2, 3.9] as const, [22.8, 20.9, 25.1] as const, [17, 15, 19] as const]) {
      const said = say([contender('A', seconds, { support: 0.1 }), contender('B', [30, 29, 31], { support: 0.9 })]);
      expect(said?.headline).toBe(
        'Cannot tell which timer is best: only 10\u00a0% of the copies of A were recorded, and the rest is the channel’s assumption.',
      );
      expect(said?.details).toHaveLength(1);
      expect(said?.details[0]).toMatch(/^Under it, A completes an exchange in .* instead of 17\.1/);
    }
    expect(say([contender('A', [2.9, 2.2, 3.9], { support: 0.8 })])?.headline).toMatch(/^A completes/);
  });

  it('names no timer where there are bounds only, and says nothing where nothing was completed', () => {
    expect(say([contender('A', null)])?.headline).toMatch(/^Cannot tell which timer is best: .*bounds only.*17\.12/);
    expect(say([])).toBeUndefined();
    expect(verdictOf([contender('A', [1, 1, 1])], [], null)).toBeUndefined();
  });

  it('tells a run that ends in two ways by both, and never by its mean', () => {
    const mode = (mean: number) => ({ mean, lo90: mean * 0.9, hi90: mean * 1.1, another: null });
    const split = contender('RFC 6298', null, { modes: { slow: 0.31, lo90: 0.26, hi90: 0.37, boundary: 9 } });
    const duration = { ...split.run.metrics.duration_mean!, lo90: 2.1, hi90: 41 };
    split.run.metrics.duration_mean = { ...duration, modes: [mode(2.4), mode(38)] };
    const said = say([contender('CoCoA', [2.9, 2.2, 3.9]), split]);
    expect(said?.headline).toMatch(/^CoCoA completes an exchange in 2\.9/);
    expect(said?.details).toContain(
      'RFC 6298 ends in two ways: in 31\u00a0% of replicates (90\u00a0%: 26 – 37\u00a0%) it collapses: 2.4\u00a0s otherwise, 38.0\u00a0s then.',
    );
    expect(say([split])?.headline).toBe(
      'Cannot tell which timer is best: each ends in two ways. Recorded: 17.12\u00a0s to complete an exchange.',
    );
    split.run.metrics.duration_mean = { ...duration, modes: [mode(2.4), mode(3.6)] };
    expect(say([split])?.details[0]).toContain('it ends slower: 2.40\u00a0s otherwise, 3.60\u00a0s then.');
  });

  it('says which timers end a storm of needless copies, and what a real run took', () => {
    const needless = (hi90: number) => ({ ...metric(0.57, [hi90, hi90, hi90]), recorded: 0.57 });
    const with_ = (one: Contender, hi90: number): Contender => ({
      ...one,
      run: { ...one.run, metrics: { ...one.run.metrics, spurious_all: needless(hi90) } },
    });
    const run: MeasuredRun = {
      ...{ name: 'seed 1', capture: null, algorithm: null, known: 'bundled', same: [0], alike: [] },
      metrics: { duration_mean: 2.37 },
    };
    const calm = {
      ...with_(contender('CoCoA+', [3.2, 2.3, 4.6]), 0.08),
      truths: [{ run, same: true, name: 'CoCoA+', timer: 'CoCoA+' }],
    };
    const said = say([calm, with_(contender('CoAP', [18, 16, 20]), 0.6), with_(contender('RC', [4, 3, 5]), 0.2)]);
    expect(said?.details.slice(0, 2)).toEqual([
      'A real run of this network under CoCoA+ took 2.4\u00a0s.',
      'Needless copies were 57\u00a0% of all: the storm ends under CoCoA+ and RC.',
    ]);
    const other = { ...calm, truths: [{ run, same: false, name: 'CoCoA+', timer: 'CoCoA+ (RTO max 32 s)' }] };
    expect(say([other])?.details[0]).toBe(
      'A real run of this network under CoCoA+ with other parameters took 2.4\u00a0s.',
    );
    expect(say([with_(contender('CoAP', [3, 2, 4]), 0.5)])?.details.join()).not.toContain('storm');
  });

  it('of a self-replay says whether what was recorded is a usual run of the twin', () => {
    const said = (seconds: Triple) => selfVerdict(contender('CoAP default', seconds), SPECS)?.headline;
    expect(said([18, 15.6, 20.3])).toBe(
      'The twin under CoAP default completes an exchange in 15.6 – 20.3\u00a0s (90\u00a0%); recorded: 17.1\u00a0s, inside.',
    );
    expect(said([22, 18.6, 25.3])).toMatch(/recorded: 17\.1\u00a0s, outside\.$/);
    expect(selfVerdict(contender('CoAP default', null), SPECS)).toBeUndefined();
  });
});
