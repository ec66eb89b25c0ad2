import { decimalsFor, shownUnit, type Shown as Unit } from '../../format';
import type { DifferenceView, MetricSpec, MetricView, ModeView, ReplayView, RunView } from '../../ipc/gen/types';
import { valueScale } from '../../plot/scale';
import { roundDomain, tickFormat, valueTicks } from '../../plot/ticks';
import type { Style } from '../../plot/series';
import type { Shown } from '../../state/replay/algorithms.svelte';
import type { Truth } from './truths';

/** Support below which an estimate is hatched, 0 to 1. Chosen here: then the model decides most of the fates. */
export const LOW_SUPPORT = 0.4;

/**
 * Column of one measure: format of its numbers, and its axis. All values are in the shown unit (per cent, not
 * fractions).
 */
export interface Column {
  /** Name, rule and direction of the measure. */
  spec: MetricSpec;
  /** Shown unit, and the factor that converts to it. */
  unit: Unit;
  /** Decimals of its numbers. */
  decimals: number;
  /** Recorded value, in the shown unit; null where it is not known, and for differences. */
  recorded: number | null;
  /** Least and greatest value that fates which the capture leaves open allow; absent where all are known. */
  recordedRange?: [number, number];
  domain: readonly [number, number];
  /** Whether the axis is logarithmic; else linear. */
  logarithmic: boolean;
  /** Values of the ticks, ascending. */
  ticks: readonly number[];
  /** Label of a tick. */
  tickText: (tick: number) => string;
  /** Scale from a value to px, from the left edge of the plot. */
  x: (value: number) => number;
}

/** Row of both tables: a timer and its results. */
export interface Row {
  /** Timer of the row. */
  item: Shown;
  /** Run of the timer; undefined while it is being replayed. */
  run: RunView | undefined;
  /** Colour, dash and marker of the timer. */
  style: Style;
  /** Real runs of this network under the timer, or under another of its algorithm. */
  truths?: readonly Truth[];
}

/** Measures named by `chosen`; the headline ones where it is null. In the order of `specs`. */
export const shownOf = (specs: readonly MetricSpec[], chosen: readonly string[] | null): MetricSpec[] =>
  specs.filter(({ name, headline }) => (chosen ? chosen.includes(name) : headline));

/** Widths of both tables, px: columns of name, support and each measure; in a measure its number and its plot. */
export interface Dims {
  name: number;
  support: number;
  number: number;
  metric: number;
  plot: number;
}

const finite = (value: number | null): value is number => value !== null && Number.isFinite(value);

/** Converts a measure to its shown unit; the support stays a share, 0 to 1. */
export function shown(metric: MetricView | undefined, unit: Unit): MetricView | undefined {
  if (!metric) return undefined;
  const times = (value: number | null) => (finite(value) ? value * unit.factor : value);
  return {
    recorded: times(metric.recorded),
    ...(metric.recorded_range && {
      recorded_range: [metric.recorded_range[0] * unit.factor, metric.recorded_range[1] * unit.factor],
    }),
    worst: times(metric.worst),
    best: times(metric.best),
    mean: times(metric.mean),
    lo90: times(metric.lo90),
    hi90: times(metric.hi90),
    another: metric.another && [metric.another[0] * unit.factor, metric.another[1] * unit.factor],
    support: metric.support,
    ...(metric.modes && { modes: modesTimes(metric.modes, unit.factor) }),
  };
}

/** Two modes of a measure: replicates that settle first, then those that collapse. */
export type Modes = readonly [ModeView, ModeView];

/** Multiplies all numbers of two modes by `factor`. */
export function modesTimes([calm, collapsed]: Modes, factor: number): [ModeView, ModeView] {
  return [each(calm, (value) => value * factor), each(collapsed, (value) => value * factor)];
}

/** Applies `of` to all numbers of a mode. */
function each({ mean, lo90, hi90, another }: ModeView, of: (value: number) => number): ModeView {
  const both = another && ([of(another[0]), of(another[1])] as [number, number]);
  return { mean: of(mean), lo90: of(lo90), hi90: of(hi90), another: both };
}

/** 90 % intervals of a measure: one, one for each mode, or none. */
const intervalsOf = ({
  lo90,
  hi90,
  modes,
}: Pick<MetricView, 'lo90' | 'hi90' | 'modes'>): (readonly [number, number])[] =>
  modes ? modes.map((mode) => [mode.lo90, mode.hi90] as const) : finite(lo90) && finite(hi90) ? [[lo90, hi90]] : [];

/** Width of a digit of an axis, px. */
export const DIGIT = 6.5;

/**
 * Ticks of a linear axis, at most `most` steps: as many as leave room for a label each, and for the unit behind one.
 */
function roomy(domain: readonly [number, number], x: (value: number) => number, most: number, unit: string): number[] {
  const fit = (ticks: readonly number[]) => {
    const texts = ticks.map(tickFormat(ticks));
    return ticks.every((tick, at) => {
      const next = ticks[at + 1];
      if (next === undefined) return true;
      const own = (texts[at]?.length ?? 0) + (texts[at + 1]?.length ?? 0);
      // One of them is followed by the unit.
      return x(next) - x(tick) >= (DIGIT * own) / 2 + DIGIT * (unit.length + 1);
    });
  };
  let few: number[] = [];
  for (let count = most; count > 1; count -= 1) {
    const ticks = valueTicks(domain[0], domain[1], false, count);
    // A single number is no scale.
    if (ticks.length < 2) continue;
    if (fit(ticks)) return ticks;
    few = ticks;
  }
  // Two labels stay of those that crowd, zero among them where it is one.
  const [first = 0, last = first] = [few[0], few.at(-1)];
  const pairs = few.includes(0)
    ? [
        [first, 0],
        [0, last],
      ]
    : [[first, last]];
  const pair = pairs.find(([low = 0, high = 0]) => low < high && fit([low, high]));
  return pair ?? valueTicks(domain[0], domain[1], false, 1);
}

/** Column of a measure over all runs of a replay and over real runs; its plot is `width` px wide. */
export function column(spec: MetricSpec, replay: ReplayView, width: number, truths: readonly Truth[] = []): Column {
  const unit = shownUnit(spec.unit);
  const metrics = replay.runs.flatMap((run) => shown(run.metrics[spec.name], unit) ?? []);
  const recorded = metrics.find(({ recorded }) => finite(recorded))?.recorded ?? null;
  const recordedRange = metrics.find(({ recorded_range }) => recorded_range)?.recorded_range;
  const inner = metrics
    .flatMap(({ mean, lo90, hi90, another, modes }) => [
      ...[mean, lo90, hi90, ...(another ?? [])],
      ...(modes ?? []).flatMap((mode) => [mode.mean, mode.lo90, mode.hi90, ...(mode.another ?? [])]),
    ])
    .concat(recorded)
    .concat(truths.map(({ run }) => run.metrics[spec.name] ?? null).map((value) => value && value * unit.factor))
    .filter(finite);
  const outer = metrics.flatMap(({ worst, best }) => [worst, best]).filter(finite);
  const positive = [...inner, ...outer].filter((value) => value > 0);
  const least = Math.min(...positive);
  const most = Math.max(...inner, ...outer);
  // Zeros do not prevent a logarithmic axis: they are drawn at its edge, with an arrowhead.
  const spread = inner.filter((value) => value > 0);
  const logarithmic = spread.length > 1 && spread.length * 2 >= inner.length && most / least > 8;
  const low = logarithmic
    ? Math.min(...spread, ...outer.filter((value) => value > most / 1e3))
    : Math.min(0, ...inner, ...outer);
  const domain = logarithmic ? logDomain(low, most) : roundDomain(low, most, false);
  if (unit.unit === '%' && most <= 100) domain[1] = Math.min(domain[1], 100);
  const x = valueScale(domain, [4, width - 4], logarithmic);
  const intervals = metrics.flatMap(intervalsOf);
  const ticks = logarithmic ? valueTicks(domain[0], domain[1], true, 7) : roomy(domain, x, 7, unit.unit);
  return {
    spec,
    unit,
    decimals: decimalsFor(intervals),
    recorded,
    ...(recordedRange && { recordedRange }),
    domain,
    logarithmic,
    ticks,
    tickText: tickFormat(ticks),
    x,
  };
}

/** Ends of a logarithmic axis, with a fifth to a quarter of free space. */
function logDomain(low: number, high: number): [number, number] {
  return [low * 0.8, high * 1.25];
}

/**
 * Difference of a run to the baseline in the measure called `name`, in the unit of the core. Without a baseline it is
 * the measure less the recorded value. Undefined where the measure does not apply.
 */
export function differenceOf(run: RunView | undefined, name: string): DifferenceView | undefined {
  const given = run?.differences[name];
  if (given) return given;
  const metric = run?.metrics[name];
  if (!run || Object.keys(run.differences).length > 0 || !metric) return undefined;
  const { recorded, mean, lo90, hi90, another, modes } = metric;
  if (recorded === null || lo90 === null || hi90 === null || (mean === null && !modes)) return undefined;
  const less = (mode: ModeView) => each(mode, (value) => value - recorded);
  return {
    // No mean over two modes is shown: NaN stands for it.
    mean: (mean ?? NaN) - recorded,
    ...(modes && { modes: [less(modes[0]), less(modes[1])] as [ModeView, ModeView] }),
    lo90: lo90 - recorded,
    hi90: hi90 - recorded,
    another: another && [another[0] - recorded, another[1] - recorded],
  };
}

/** Column of paired differences, its plot `width` px wide: the axis always contains zero. */
export function differenceColumn(spec: MetricSpec, replay: ReplayView, width: number): Column {
  const unit = shownUnit(spec.unit);
  const all = replay.runs.flatMap((run) => differenceOf(run, spec.name) ?? []);
  const intervals = all.flatMap(intervalsOf).map(([low, high]) => [low * unit.factor, high * unit.factor] as const);
  const values = [...intervals.flat(), ...all.flatMap(({ mean, modes }) => (modes ? [] : [mean * unit.factor]))];
  const decimals = decimalsFor(intervals);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  // A spread below the last decimal shown is no difference: the axis then covers one unit of that decimal each way.
  const smallest = most - least < 0.5 * 10 ** -decimals ? 10 ** -decimals : 0;
  const [low, high] = [least - smallest, most + smallest];
  const reach = high - low;
  const domain = [low - reach * 0.06, high + reach * 0.06] as const;
  const x = valueScale(domain, [4, width - 4], false);
  const ticks = all.length > 0 ? roomy(domain, x, 3, unit.differenceUnit) : [];
  return {
    spec,
    unit,
    decimals,
    recorded: null,
    domain,
    logarithmic: false,
    ticks,
    tickText: tickFormat(ticks),
    x,
  };
}

/** Rows ordered by `value`; those without one last in either order, equal ones as they were. */
export function sorted<T>(rows: readonly T[], value: (row: T) => number | null | undefined, descending: boolean): T[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a) ?? Infinity, value(b) ?? Infinity];
    if (x === y) return 0;
    if (x === Infinity || y === Infinity) return x === Infinity ? 1 : -1;
    return (x < y ? -1 : 1) * (descending ? -1 : 1);
  });
}
