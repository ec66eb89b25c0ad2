// The answer of a comparison in plain sentences, from the runs' own intervals.
import { decimalsFor, fixed, range, shownUnit } from '../../format';
import type { DifferenceView, MetricSpec, ReplayView, RunView } from '../../ipc/gen/types';
import { differenceOf, LOW_SUPPORT } from './columns';
import type { Truth } from './truths';

/** The measure by which a timer is named best: mean completion time. */
const HEADLINE = 'duration_mean';
/** Measures that say what the best timer costs or saves besides. */
const COPIES = 'retries_mean';
const FAILED = 'plr_exchange';
/** Share of needless copies from which their senders load the network mostly with what nobody needs: a storm. Chosen here: two in five. */
const NEEDLESS = 'spurious_all';
const STORM = 0.4;
/** A mode so many times as slow is called a collapse, as in `two_modes` of the core. */
const COLLAPSE = 2;
/** Timers that are named where the best cannot be told apart from them; more are counted. */
const NAMED = 3;

/** A run and the name of its algorithm. */
export interface Contender {
  name: string;
  /** As in {@link ReplayView.runs}: the baseline is one of them. */
  key: string;
  run: RunView;
  /** Real runs of this network under the timer. */
  truths?: readonly Truth[];
}

export interface Verdict {
  /** The timer that is best against the recorded one, or that this cannot be told. */
  headline: string;
  /** Limits of the answer, and facts that come with it. */
  details: readonly string[];
}

/** A run with a mean and an interval of a measure. */
interface Estimated {
  contender: Contender;
  mean: number;
  lo: number;
  hi: number;
}

/**
 * The verdict on `contenders`; undefined where no run has a completion time and the recorded one is not known. `baseline` is
 * the key of the run that differences are taken to, null for the recorded behaviour.
 */
export function verdictOf(
  contenders: readonly Contender[],
  specs: readonly MetricSpec[],
  baseline: string | null,
): Verdict | undefined {
  const spec = specs.find(({ name }) => name === HEADLINE);
  const recorded = contenders[0]?.run.metrics[HEADLINE]?.recorded;
  if (!spec || recorded === undefined || recorded === null) return undefined;
  const all = contenders.flatMap((contender) => estimate(contender, HEADLINE) ?? []);
  const text = new Text(spec, all);
  const sign = (one: Estimated) => text.sign(toRecorded(one.contender.run, HEADLINE, baseline));
  const byMean = [...all].sort((a, b) => a.mean - b.mean);
  // A mean that may be no improvement does not stand before one that surely is.
  const best = byMean.find((one) => sign(one) === -1) ?? byMean[0];
  const split = contenders.flatMap((contender) => twoModes(contender, text) ?? []);
  if (!best && split.length > 0) {
    return {
      headline: `Cannot tell which timer is best: each ends in two ways. Recorded: ${text.value(recorded)} to complete an exchange.`,
      details: split,
    };
  }
  if (!best) {
    return {
      headline: `Cannot tell which timer is best: this channel gives bounds only. Recorded: ${text.value(recorded)} to complete an exchange.`,
      details: [],
    };
  }
  const others = byMean.filter((one) => one !== best);
  const copies = instead(best.contender, contenders, specs, {
    measure: COPIES,
    what: 'Retransmissions per exchange',
  });
  const { name, run } = best.contender;
  const takes = `${text.value(best.mean)} (90\u00a0%: ${text.range(best)})`;
  const before = text.value(recorded);
  // Where most is assumed, no mean is said as if it were known.
  if (run.support !== null && run.support < LOW_SUPPORT) {
    return {
      headline: `Cannot tell which timer is best: only ${fixed(100 * run.support, 0)}\u00a0% of the copies of ${name} were recorded, and the rest is the channel’s assumption.`,
      details: [`Under it, ${name} completes an exchange in ${takes} instead of ${before}.`],
    };
  }
  const failures = moreFailures(best.contender, contenders, specs, baseline);
  if (sign(best) === -1) {
    return {
      headline: `${name} completes an exchange in ${takes} instead of ${before}.`,
      details: [
        ...reallyTook(best, text),
        ...stormEnds(contenders),
        ...copies,
        ...rivalsOf(best, others, text, baseline),
        ...split,
        ...failures,
      ],
    };
  }
  const unclear = others.filter((one) => sign(one) === 0);
  return {
    headline: notBetter({
      many: all.length,
      name,
      takes,
      before,
      unclear: { best: sign(best) === 0, others: unclear.length > 0 },
    }),
    details: [
      ...copies,
      ...(sign(best) === 1 && unclear.length > 0 ? [`Cannot tell for ${rangesOf(unclear, text)}.`] : []),
      ...split,
      ...failures,
    ],
  };
}

/** The best of several timers, none of which surely improves on the recorded one. */
interface NotBetter {
  many: number;
  name: string;
  takes: string;
  before: string;
  /** Differences that include zero. */
  unclear: { best: boolean; others: boolean };
}

/** The headline where no timer surely improves on the recorded one. */
function notBetter({ many, name, takes, before, unclear }: NotBetter): string {
  if (unclear.best) {
    return many > 1
      ? `Cannot tell whether any of these ${many} timers completes exchanges faster than the recorded ${before}: the best, ${name}, takes ${takes}.`
      : `Cannot tell whether ${name} completes exchanges faster than the recorded ${before}: it takes ${takes}.`;
  }
  if (many === 1) return `${name} completes exchanges no faster: ${takes} instead of ${before}.`;
  return unclear.others
    ? `No timer is shown to complete exchanges faster than the recorded ${before}: the nearest, ${name}, takes ${takes}.`
    : `None of these ${many} timers completes exchanges faster than the recorded ${before}: the nearest, ${name}, takes ${takes}.`;
}

/** `Needless copies were 57 % of all: the storm ends under CoCoA+ and RFC 6298.`; nothing where there was none, or it goes on. */
function stormEnds(contenders: readonly Contender[]): string[] {
  const before = contenders[0]?.run.metrics[NEEDLESS]?.recorded ?? 0;
  if (before < STORM) return [];
  const ends = contenders.filter(({ run }) => {
    const { hi90, modes } = run.metrics[NEEDLESS] ?? {};
    return hi90 != null && !modes && hi90 < before / 2;
  });
  if (ends.length === 0) return [];
  const share = `${fixed(100 * before, 0)}\u00a0%`;
  return [`Needless copies were ${share} of all: the storm ends under ${listed(ends.map(({ name }) => name))}.`];
}

/** `A real run of this network under CoCoA took 2.4 s.` */
function reallyTook({ contender }: Estimated, text: Text): string[] {
  const took = (contender.truths ?? []).flatMap(({ run, same, name }) => {
    const seconds = run.metrics[HEADLINE];
    const which = same || name !== contender.name ? name : `${name} with other parameters`;
    return seconds === undefined ? [] : [`A real run of this network under ${which} took ${text.value(seconds)}.`];
  });
  return took.slice(0, 1);
}

/**
 * Words of a self-replay: the completion time of the recorded timer through the twin, and whether what was recorded is a usual run of it;
 * undefined without both.
 */
export function selfVerdict({ name, run }: Contender, specs: readonly MetricSpec[]): Verdict | undefined {
  const spec = specs.find((one) => one.name === HEADLINE);
  const metric = run.metrics[HEADLINE];
  const ninety = metric?.another ?? (metric?.lo90 != null && metric.hi90 != null ? [metric.lo90, metric.hi90] : null);
  if (!spec || metric?.recorded == null || !ninety) return undefined;
  const [lo, hi] = ninety;
  const text = new Text(spec, [{ contender: { name, key: name, run }, mean: (lo + hi) / 2, lo, hi }]);
  const inside = lo <= metric.recorded && metric.recorded <= hi;
  return {
    headline: `The twin under ${name} completes an exchange in ${text.range({ lo, hi })} (90\u00a0%); recorded: ${text.value(metric.recorded)}, ${inside ? 'inside' : 'outside'}.`,
    details: [
      'The timer that was running, sent through the network twin: where it repeats the capture, its other answers may be believed.',
    ],
  };
}

/** `RFC 6298 ends in two ways: in 43 % of replicates (90 %: 37 – 49 %) it collapses: 2.4 s otherwise, 38 s then.`; undefined for one mode. */
function twoModes({ name, run }: Contender, text: Text): string | undefined {
  const modes = run.metrics[HEADLINE]?.modes;
  if (!run.modes || !modes) return undefined;
  const { slow, lo90, hi90 } = run.modes;
  const [calm, collapsed] = modes;
  const share = `${fixed(100 * slow, 0)}\u00a0% of replicates (90\u00a0%: ${range(100 * lo90, 100 * hi90, 0)}\u00a0%)`;
  const ends = collapsed.mean > COLLAPSE * calm.mean ? 'it collapses' : 'it ends slower';
  return `${name} ends in two ways: in ${share} ${ends}: ${text.value(calm.mean)} otherwise, ${text.value(collapsed.mean)} then.`;
}

/** `A (2.6 – 4.8 s), B (3 – 5 s) and 2 more`. */
function rangesOf(some: readonly Estimated[], text: Text): string {
  const named = some.slice(0, NAMED).map((one) => `${one.contender.name} (${text.range(one)})`);
  return listed(some.length > NAMED ? [...named, `${some.length - NAMED} more`] : named);
}

/** The verdict as one text, for the clipboard. */
export const verdictText = ({ headline, details }: Verdict): string => [headline, ...details].join(' ');

/** Numbers of one measure, all with the same decimals. */
class Text {
  readonly #unit;
  readonly #decimals: number;

  constructor(spec: MetricSpec, all: readonly Estimated[]) {
    this.#unit = shownUnit(spec.unit);
    const { factor } = this.#unit;
    const intervals = all.map(({ lo, hi }) => [lo * factor, hi * factor] as const);
    this.#decimals = decimalsFor(intervals);
  }

  value(value: number): string {
    const { factor, unit } = this.#unit;
    return `${fixed(value * factor, this.#decimals)}${unit ? `\u00a0${unit}` : ''}`;
  }
  /** -1 or 1 for a difference whose interval is below or above zero in the digits that are shown; else 0, as for none. */
  sign(difference: DifferenceView | undefined): -1 | 0 | 1 {
    if (!difference) return 0;
    const shown = (value: number) => Number((value * this.#unit.factor).toFixed(this.#decimals));
    return shown(difference.hi90) < 0 ? -1 : shown(difference.lo90) > 0 ? 1 : 0;
  }
  range({ lo, hi }: { lo: number; hi: number }): string {
    const { factor, unit } = this.#unit;
    return `${range(lo * factor, hi * factor, this.#decimals)}${unit ? `\u00a0${unit}` : ''}`;
  }
}

function estimate(contender: Contender, measure: string): Estimated | undefined {
  const { mean, lo90, hi90 } = contender.run.metrics[measure] ?? {};
  if (mean == null || lo90 == null || hi90 == null) return undefined;
  return { contender, mean, lo: lo90, hi: hi90 };
}

/** Difference to the recorded behaviour, whatever the baseline is. */
function toRecorded(run: RunView, measure: string, baseline: string | null): DifferenceView | undefined {
  return differenceOf(baseline === null ? run : { ...run, differences: {} }, measure);
}

/** `Retransmissions per exchange: 0.16 (0.11 – 0.22) instead of 2.21.` */
function instead(
  contender: Contender,
  all: readonly Contender[],
  specs: readonly MetricSpec[],
  { measure, what }: { measure: string; what: string },
): string[] {
  const spec = specs.find(({ name }) => name === measure);
  const recorded = contender.run.metrics[measure]?.recorded;
  const one = estimate(contender, measure);
  if (!spec || !one || recorded == null) return [];
  // Decimals of the whole column, as in the table below.
  const text = new Text(
    spec,
    all.flatMap((other) => estimate(other, measure) ?? []),
  );
  return [`${what}: ${text.value(one.mean)} (${text.range(one)}) instead of ${text.value(recorded)}.`];
}

/**
 * Timers that the best cannot be told from: paired differences that include zero where the best is the baseline, else
 * intervals that overlap, which claims less.
 */
function rivalsOf(best: Estimated, others: readonly Estimated[], text: Text, baseline: string | null): string[] {
  const paired = baseline === best.contender.key;
  const same = (other: Estimated) => {
    const difference = paired ? other.contender.run.differences[HEADLINE] : undefined;
    return difference ? text.sign(difference) === 0 : other.lo <= best.hi && other.hi >= best.lo;
  };
  const rivals = others.filter(same);
  if (rivals.length === 0) return [];
  const why = paired ? 'the paired differences include zero' : 'the intervals overlap';
  return [`Cannot tell it from ${rangesOf(rivals, text)}: ${why}.`];
}

/** A timer that gives up early completes the rest sooner: this must not pass for an improvement. */
function moreFailures(
  contender: Contender,
  all: readonly Contender[],
  specs: readonly MetricSpec[],
  baseline: string | null,
): string[] {
  const difference = toRecorded(contender.run, FAILED, baseline);
  const asked = { measure: FAILED, what: 'But it gives up on more exchanges' };
  return difference && difference.lo90 > 0 ? instead(contender, all, specs, asked) : [];
}

/** `A`, `A and B`, `A, B and C`. */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

/** Contenders of a replay under the names of the window. */
export function contendersOf(
  replay: ReplayView,
  named: readonly { key: string; name: string; run: RunView | undefined; truths?: readonly Truth[] }[],
): Contender[] {
  return replay.runs.flatMap((run) => {
    const one = named.find((item) => item.run === run);
    return one ? [{ name: one.name, key: one.key, run, ...(one.truths && { truths: one.truths }) }] : [];
  });
}
