// Contents of the panels of RTO: lines, labels, counts, and the state of an estimator in words.
import { bisectRight } from 'd3-array';
import { clock, fixed, plain, span } from '../../format';
import type { StateLine } from '../../ipc/gen/types';
import { extentOf, sampleOf, shortfallOf, type RtoRows } from '../../plot/marks/rtt';
import { roundDomain } from '../../plot/ticks';
import { RECORDED, type Style } from '../../plot/series';
import type { RunOrRecorded } from '../../state/replies/lanes';
import { SAMPLE_KINDS, TIMER_KINDS } from '../../state/replies/kinds';

/** Panel of one behaviour: recorded, or under a timer. */
export interface Panel {
  /** Key of the timer; `recorded` for the recorded behaviour. */
  key: string;
  name: string;
  style: Style;
  /** Number of its run; null: as recorded. */
  run: RunOrRecorded;
  /** Exchanges of the association; undefined while they are fetched. */
  rows: RtoRows | undefined;
}

/** Step line of a panel, labelled at its right end. */
export interface Line {
  label: string;
  /** Value by row of the panel, s; NaN: none. */
  values: Float64Array;
  /** Width of the stroke and its dashes, px. */
  width: number;
  dash: readonly number[];
  /** Whether the label is bold. */
  strong: boolean;
}

const any = (values: Float64Array) => values.some((value) => !Number.isNaN(value));

/**
 * Lines of a panel from back to front: parts of the estimator, then the timeout; of the recorded behaviour gaps, then
 * first timers.
 */
export function linesOf(panel: Panel): Line[] {
  const { rows, run, style } = panel;
  if (!rows) return [];
  if (run === null || !any(rows.rto)) {
    const gaps = gapsOf(rows);
    const timers = { label: 'first timer', values: rows.first_timer, strong: true };
    return [
      ...(any(gaps) ? [{ label: 'gap on air', values: gaps, ...GAP_LOOK, strong: false }] : []),
      ...(any(rows.first_timer) || !any(gaps) ? [{ ...timers, width: 2, dash: run === null ? [] : style.dash }] : []),
    ];
  }
  const split = any(rows.strong) || any(rows.weak);
  return [
    ...(any(rows.strong)
      ? [{ label: 'strong', values: rows.strong, width: 1.1, dash: [1.2, 2.4], strong: false }]
      : []),
    ...(any(rows.weak) ? [{ label: 'weak', values: rows.weak, width: 1.1, dash: [5, 2, 1, 2], strong: false }] : []),
    { label: split ? 'overall' : 'RTO', values: rows.rto, width: 2, dash: style.dash, strong: true },
  ];
}

/** Look of the line of gaps on the air. */
export const GAP_LOOK = { width: 1.4, dash: [1.2, 2.4] };

/** Gaps on the air after the first copy, s, of exchanges whose first timer is not known; NaN elsewhere. */
export function gapsOf(rows: RtoRows): Float64Array {
  return rows.first_gap.map((gap, row) => (Number.isNaN(rows.first_timer[row] ?? NaN) ? gap : NaN));
}

/** Last value of a line up to `t1` (ns), s; NaN: none. */
export function lastValue(rows: RtoRows, values: Float64Array, t1: number): number {
  for (let row = rowAt(rows, t1); row >= 0; row -= 1) {
    const value = values[row] ?? NaN;
    if (!Number.isNaN(value)) return value;
  }
  return NaN;
}

/** Heights of labels (px), moved at least `gap` apart within `low..high`, in the order of their values. */
export function spread(labels: readonly { y: number }[], gap: number, low: number, high: number): number[] {
  const order = labels.map((_, index) => index).sort((a, b) => (labels[a]?.y ?? 0) - (labels[b]?.y ?? 0));
  const placed = labels.map(({ y }) => y);
  let previous = -Infinity;
  for (const index of order) previous = placed[index] = Math.max(placed[index] ?? 0, previous + gap, low);
  let next = high + gap;
  for (const index of order.reverse()) next = placed[index] = Math.min(placed[index] ?? 0, next - gap);
  return placed;
}

/** Ends of the value axis of all panels, s: rounded around what is drawn in the window. */
export function domainOf(panels: readonly Panel[], t0: number, t1: number, logarithmic: boolean): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { rows } of panels) {
    if (!rows) continue;
    const [a, b] = extentOf(rows, t0, t1);
    [low, high] = [Math.min(low, a), Math.max(high, b)];
  }
  return roundDomain(low, high, logarithmic);
}

/** Exchanges that begin in a window, and those of them whose first retransmission was needless. */
export function countOf(rows: RtoRows, t0: number, t1: number): { early: number; exchanges: number } {
  let [early, exchanges] = [0, 0];
  for (let row = 0; row < rows.length; row += 1) {
    const t = rows.t[row] ?? NaN;
    if (t < t0 || t > t1) continue;
    exchanges += 1;
    early += rows.needless[row] ?? 0;
  }
  return { early, exchanges };
}

/** Lines of the tooltip of a row. */
export function describe(rows: RtoRows, row: number): string[] {
  const kind = (SAMPLE_KINDS[rows.class[row] ?? 4] ?? 'unknown').replace('_', ' ');
  const wait = rows.wait[row] ?? NaN;
  const before = Number.isNaN(wait) ? '' : `, ${span(wait * 1e9)} before the air`;
  return [
    `true RTT ${plain(sampleOf(rows, row))} s, ${kind}`,
    `${timerOf(rows, row)}${before}`,
    clock(rows.t[row] ?? 0, 1),
  ];
}

/** `first timer 2.05 s ± 1.0 ms (log), too short by 1.05 s`, or the gap where nothing tells the timer. */
function timerOf(rows: RtoRows, row: number): string {
  const [timer, error, gap] = [rows.first_timer[row] ?? NaN, rows.first_error[row] ?? NaN, rows.first_gap[row] ?? NaN];
  if (Number.isNaN(timer)) return Number.isNaN(gap) ? 'first timer not known' : `gap on air ${plain(gap)} s`;
  const by = TIMER_KINDS[rows.known[row] ?? 0];
  const said = by === 'log' || by === 'inferred' ? ` ± ${span(error * 1e9)} (${by})` : '';
  const short = shortfallOf(rows, row);
  return `first timer ${plain(timer)} s${said}${short > 0 ? `, too short by ${plain(short)} s` : ''}`;
}

/** Row of the last exchange that started at or before `at`; -1 before the first. */
export function rowAt(rows: RtoRows, at: number): number {
  return bisectRight(rows.t, at) - 1;
}

/** Line of the state at the playhead: label, digits, and unit. */
export interface StateRow {
  label: string;
  digits: string;
  unit: string;
}

/** State of an estimator in lines; a mean and its deviation share one, if both are set or neither is. */
export function replayedState(lines: readonly StateLine[]): StateRow[] {
  const value = ({ value, unit, text }: StateLine) =>
    [text, value === null ? null : unit === 's' ? fixed(value, 2) : plain(value)].filter(Boolean).join(' ') ||
    'not set';
  // Names of variables keep their capitals (`SRTT`); words begin in lower case.
  const named = (label: string) => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);
  const result: StateRow[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [line, next] = [lines[at], lines[at + 1]];
    if (!line) continue;
    const unit = line.value === null ? '' : line.unit;
    const mean = /^(.*)\bS?RTT$/.exec(line.label);
    if (mean && next?.label === `${mean[1] ?? ''}RTTVAR` && (line.value === null) === (next.value === null)) {
      const digits = line.value === null ? value(line) : `${value(line)} ± ${value(next)}`;
      result.push({ label: `${named(line.label)} ± VAR`, digits, unit });
      at += 1;
    } else result.push({ label: named(line.label), digits: value(line), unit });
  }
  return result;
}

/** State of the recorded behaviour at a time, ns: only what the capture shows, for its estimator is not known. */
export function recordedState(rows: RtoRows, at: number): StateRow[] {
  const row = rowAt(rows, at);
  if (row < 0) return [{ label: 'first exchange', digits: 'later', unit: '' }];
  const seconds = (value: number | undefined) => ({
    digits: fixed(value, 2),
    unit: value === undefined || Number.isNaN(value) ? '' : 's',
  });
  return [
    { label: 'exchange since', digits: clock(rows.t[row] ?? 0, 1), unit: '' },
    Number.isNaN(rows.first_timer[row] ?? NaN) && !Number.isNaN(rows.first_gap[row] ?? NaN)
      ? { label: 'gap on air', ...seconds(rows.first_gap[row]) }
      : { label: 'first timer', ...seconds(rows.first_timer[row]) },
    { label: 'its true RTT', ...seconds(sampleOf(rows, row)) },
    { label: 'estimator', digits: 'not known', unit: '' },
  ];
}

/** Panel of the recorded behaviour, without its rows. */
export const RECORDED_PANEL = { key: 'recorded', name: 'Recorded', style: RECORDED, run: null } as const;
