// Layout of a panel in its rectangle: domains that follow from the marks, scales, ticks, names.
import { extent } from 'd3-array';
import type { AxisView, MarkView, PanelView } from '../../ipc/gen/types';
import { valueScale } from '../scale';
import { roundDomain, spaced, tickFormat, valueTicks } from '../ticks';

/** Maps a value of an axis to px. */
export type Value = (value: number) => number;

/** Inner rectangle of a panel, px from the panel's upper left corner. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A laid out axis: its scale, its ticks and their labels. */
export interface Ticks {
  scale: Value;
  ticks: readonly number[];
  label: (tick: number, index: number) => string;
  /** Place of zero, px; of the nearer end where zero is outside the axis or it is logarithmic. */
  base: number;
}

/** Height of a line of names, px. */
const SHORT = 11.5;

/** Numbers that a mark reaches on an axis; empty where it stands on another one or on categories. */
export function reach(mark: MarkView, axis: 'x' | 'y' | 'right'): number[] {
  const right = mark.mark === 'line' && mark.right;
  if (axis !== 'x' && right !== (axis === 'right')) return [];
  const at = axis === 'x' ? 0 : 1;
  switch (mark.mark) {
    case 'box':
      return at === 0 ? [] : [...mark.five, ...mark.outliers];
    case 'bar':
      return at === 0 ? [] : [0, mark.value, ...(mark.interval ?? []), ...(mark.most === null ? [] : [mark.most])];
    case 'line':
      return [...mark.points.map((point) => point[at]), ...(at === 1 ? mark.band.flat() : [])];
    case 'dots':
      return mark.points.map((point) => point[at]);
    case 'cell':
      return [];
    case 'point':
      return [mark.at[at], ...((at === 0 ? mark.across : mark.along) ?? [])];
    case 'rule':
      return [at === 0 ? mark.x : mark.y].filter((value) => value !== null);
  }
}

/** Ends of an axis that reaches `values`; `upright` axes begin at zero where that is near. */
function domain(axis: AxisView, values: readonly number[], upright: boolean): [number, number] {
  const logarithmic = axis.kind === 'log';
  const [low, high] = extent(values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0)));
  if (low === undefined || high === undefined) return [axis.low ?? (logarithmic ? 0.1 : 0), axis.high ?? 1];
  if (logarithmic) return roundDomain(low, high, true);
  const [floor, top] = [axis.low ?? low, axis.high ?? high];
  // Signed values, or a range that does not begin at zero.
  if (axis.low !== null && axis.high !== null) return [floor, top];
  // Shares end at the whole.
  if (axis.unit === '%' && floor === 0 && top > 50 && top <= 100) return [0, 100];
  if (floor === 0 && axis.low !== null && top > 0) return [0, axis.high ?? roundDomain(0, top, false)[1]];
  // Bars that hang have their numbers below them.
  const pad = (top - floor || Math.abs(top) || 1) * (floor < 0 ? 0.1 : 0.06);
  // Values that are never negative need no room below zero.
  const foot = floor >= 0 ? Math.max(0, floor - pad) : floor - pad;
  if (foot === 0 && top > 0 && upright) return [0, axis.high ?? roundDomain(0, top, false)[1]];
  return [axis.low ?? foot, axis.high ?? top + pad];
}

/**
 * Lays out a number axis from `from` to `to` px; ticks are at least `gap` px apart, and the unit stands on the last one
 * only.
 */
export function ticks(axis: AxisView, values: readonly number[], from: number, to: number, gap: number): Ticks {
  const logarithmic = axis.kind === 'log';
  // A horizontal axis ends where its numbers do, so that many panels have room.
  const [low, high] = domain(axis, values, from > to);
  const scale = valueScale([low, high], [from, to], logarithmic);
  const most = Math.max(2, Math.floor(Math.abs(to - from) / gap));
  // Counts have whole ticks only.
  const whole = axis.unit === '' && !logarithmic && values.every(Number.isInteger);
  const possible = valueTicks(low, high, logarithmic, most).filter((value) => !whole || Number.isInteger(value));
  const kept = spaced(possible, scale, gap);
  const text = tickFormat(kept);
  // A rate beside its number: `0.25 /s`, where `0.25 1/s` would be two numbers.
  const unit = axis.unit && `\u00a0${axis.unit.replace(/^1\//, '/')}`;
  return {
    scale,
    ticks: kept,
    label: (tick, index) => text(tick) + (index === kept.length - 1 ? unit : ''),
    base: scale(logarithmic ? low : Math.min(high, Math.max(low, 0))),
  };
}

/** Lays out a vertical axis of names, each in the middle of its row between two heights, px. */
export function rows({ categories }: AxisView, top: number, bottom: number): Ticks {
  const each = (bottom - top) / Math.max(1, categories.length);
  // 5.8 px: mean width of a character of the names.
  const most = Math.floor(MOST_LEFT / 5.8) - 1;
  return {
    scale: (value) => top + each * (value + 0.5),
    ticks: categories.map((_, index) => index),
    // Long names keep their end.
    label: (tick) => {
      const name = categories[tick] ?? '';
      return name.length > most ? `…${name.slice(1 - most)}` : name;
    },
    base: bottom,
  };
}

/**
 * Breaks a text into lines of `most` characters: between words, and in a longer word after what joins its parts. An
 * ellipsis stands for the end of a longer part.
 */
function wrapped(text: string, most: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const parts = word.length > most ? word.split(/(?<=[-/_])/) : [word];
    parts.forEach((whole, part) => {
      const next = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
      const joined = `${rows.at(-1) ?? ''}${part === 0 ? ' ' : ''}${next}`;
      if (rows.length > 0 && joined.length <= most) rows[rows.length - 1] = joined;
      else rows.push(next);
    });
  }
  return rows;
}

/** Most lines of a name. Chosen here: the longest name of a timer that counts its values fits a column of 64 px. */
const LINES = 4;

/**
 * Breaks a name into lines that fit `width` px, at most four: at commas where that needs three or fewer, else between
 * words. An ellipsis stands for the words that have no line, and for the end of one longer than a line.
 */
export function lines(name: string, width: number): string[] {
  // 5.6 px: mean width of a character of the names, set in lines.
  const most = Math.max(4, Math.floor(width / 5.6));
  if (name.length <= most) return [name];
  const parts = name.split(', ').flatMap((part) => wrapped(part, most));
  if (name.includes(', ') && parts.length < LINES) return parts;
  const rows = wrapped(name, most);
  // The part after the last comma tells names of one capture apart: it stays, where it is short.
  const last = name.includes(', ') ? wrapped(name.slice(name.lastIndexOf(', ') + 2), most) : [];
  if (rows.length <= LINES || last.length !== 1) return first(rows, LINES);
  return [...first(wrapped(name.slice(0, name.lastIndexOf(', ')), most), LINES - 1), ...last];
}

/** First `count` of some lines; an ellipsis stands for the rest. */
function first(rows: string[], count: number): string[] {
  if (rows.length <= count) return rows;
  return [...rows.slice(0, count - 1), `${(rows[count - 1] ?? '').replace(/[,…]$/, '')}…`];
}

/** Height of the names under a category axis `width` px wide, px. */
export function namesHeight(axis: AxisView, width: number): number {
  const each = width / Math.max(1, axis.categories.length);
  return SHORT * Math.max(1, ...axis.categories.map((name) => lines(name, each - 4).length));
}

/** Middle and width, px, of the part of a category, `each` px wide, that a mark takes. */
export function slot(mark: { x: number; slot: number; slots: number }, each: number, frame: Frame): [number, number] {
  const part = (each * 0.8) / Math.max(1, mark.slots);
  const left = frame.left + mark.x * each + each * 0.1;
  return [left + part * (mark.slot + 0.5), Math.min(26, part * 0.86)];
}

/** Whether an axis needs its label: neither title nor rule of its panel contains it. */
export function needsLabel({ title, rule }: PanelView, axis: AxisView | null): boolean {
  return !!axis && axis.label !== '' && !`${title}\n${rule}`.toLowerCase().includes(axis.label.toLowerCase());
}

/** Height of a row of a matrix, and the greatest width of the names of its rows, px. */
const ROW = 28;
const MOST_LEFT = 150;

/** Height of a panel, px: a matrix has as much as its rows need, others have `usual`. */
export function heightOf(panel: PanelView, usual: number): number {
  return panel.y.kind === 'category' ? 14 + ROW * panel.y.categories.length + 8 + LINES * SHORT : usual;
}

/** Room left of the vertical axis, px. */
function leftOf({ y }: PanelView): number {
  if (y.kind !== 'category') return 44;
  // 5.8 px a character, as in `rows`.
  return Math.min(MOST_LEFT, 12 + 5.8 * Math.max(4, ...y.categories.map((name) => name.length)));
}

/** The inner rectangle of a panel of a size in px, which its axes leave. */
export function frameOf(panel: PanelView, width: number, height: number): Frame {
  const [left, right] = [leftOf(panel), width - (panel.right ? 40 : 10)];
  const below = panel.x.kind === 'category' ? 8 + namesHeight(panel.x, right - left) : 32;
  const top = needsLabel(panel, panel.y) || needsLabel(panel, panel.right) ? 28 : 14;
  return { left, right, top, bottom: height - below };
}

/** The panels of a figure that share the axes of `panel`, itself among them. */
export function peers(panel: PanelView, all: readonly PanelView[]): readonly PanelView[] {
  const same = all.filter(({ axes }) => axes != null && axes === panel.axes);
  return same.length > 0 ? same : [panel];
}
