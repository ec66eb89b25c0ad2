// A panel as shapes and words: what the screen, an SVG file and a PNG file are made of.
import { plain } from '../../format';
import type { FigureSeries, PanelView } from '../../ipc/gen/types';
import type { Token } from '../series';
import { Recorder, type Ink, type Shape } from '../surface';
import { drawBar, drawBox, drawDots, drawLine, drawPoint, lookOf } from './marks';
import { frameOf, lines, reach, ticks, type Frame, type Value } from './place';

/** Words in a panel. */
export interface Words {
  x: number;
  y: number;
  text: string;
  anchor: 'start' | 'middle' | 'end';
  tone: Extract<Token, 'ink-1' | 'ink-2' | 'ink-3'>;
  bold?: boolean;
}

/** A mark that can be read out. */
export interface Stop {
  id: number;
  x: number;
  y: number;
  label: string;
}

export interface Scene {
  shapes: readonly Shape[];
  words: readonly Words[];
  /** Mark by mark, for the keyboard. */
  stops: readonly (readonly Stop[])[];
}

/** Points of one line that the keyboard walks. */
const WALKED = 60;

/** Draws a panel into `width` × `height`. */
export function scene(
  panel: PanelView,
  series: readonly FigureSeries[],
  width: number,
  height: number,
  ink: Ink,
): Scene {
  const ctx = new Recorder();
  const frame = frameOf(panel, width, height);
  const words: Words[] = [];
  const { x, each } = across(ctx, ink, panel, frame, words);
  const all = (axis: 'y' | 'right') => panel.marks.flatMap((mark) => reach(mark, axis));
  const left = ticks(panel.y, all('y'), frame.bottom, frame.top, 26);
  const right = panel.right ? ticks(panel.right, all('right'), frame.bottom, frame.top, 26) : null;
  level(
    ctx,
    ink,
    frame,
    left.ticks.map(({ at }) => at),
  );
  for (const { at, text } of left.ticks)
    words.push({ x: frame.left - 6, y: at + 3.5, text, anchor: 'end', tone: 'ink-3' });
  for (const { at, text } of right?.ticks ?? [])
    words.push({ x: frame.right + 6, y: at + 3.5, text, anchor: 'start', tone: 'ink-3' });
  if (panel.y.kind === 'linear' && left.base < frame.bottom - 0.5) base(ctx, ink, frame, left.base);

  const stops: Stop[][] = [];
  const bars: Bar[] = [];
  let id = 0;
  for (const mark of panel.marks) {
    const owner = 'series' in mark ? series[mark.series] : undefined;
    const look = lookOf(owner);
    const y = mark.mark === 'line' && mark.right && right ? right.scale : left.scale;
    const stop = (at: number, top: number, label: string): Stop => ({
      id: id++,
      x: at,
      y: top,
      label: `${owner?.name ?? ''}: ${label}`,
    });
    const unit = panel.y.unit && `\u00a0${panel.y.unit}`;
    if (mark.mark === 'box') {
      const place = drawBox(ctx, ink, mark, look, { frame, each, y });
      if (mark.label)
        words.push({ ...place, text: mark.label, anchor: 'middle', tone: 'ink-2', bold: mark.label.length < 4 });
      const [low, lower, median, upper, high] = mark.five.map((value) => plain(value) + unit);
      const more = mark.outliers.length > 0 ? `, ${mark.outliers.length} outliers` : '';
      const label = `${panel.x.categories[mark.x] ?? ''}, median ${median}, box ${lower} to ${upper}, whiskers ${low} to ${high}, ${mark.n} values${more}${mark.label ? `, ${mark.label}` : ''}`;
      stops.push([stop(place.x, y(mark.five[2]), label)]);
    } else if (mark.mark === 'bar') {
      const place = drawBar(ctx, ink, mark, look, { frame, each, y });
      if (mark.label) words.push({ ...place, text: mark.label, anchor: 'middle', tone: 'ink-2' });
      const ends = mark.interval ? `, ${plain(mark.interval[0])} to ${plain(mark.interval[1])}` : '';
      const most = mark.most === null ? '' : `, greatest ${plain(mark.most)}${unit}`;
      stops.push([
        stop(place.x, y(mark.value), `${panel.x.categories[mark.x] ?? ''}, ${plain(mark.value)}${unit}${ends}${most}`),
      ]);
    } else if (mark.mark === 'line') {
      drawLine(ctx, ink, mark, look, x, y);
      const every = Math.max(1, Math.ceil(mark.points.length / WALKED));
      const shown = (mark.points as [number, number][]).filter((_, index) => index % every === 0);
      const axis = mark.right && panel.right ? panel.right : panel.y;
      stops.push(
        shown.map(([at, value]) =>
          stop(
            x(at),
            y(value),
            `${panel.x.label} ${plain(at)}${panel.x.unit && ` ${panel.x.unit}`}, ${axis.label} ${plain(value)}${axis.unit && ` ${axis.unit}`}`,
          ),
        ),
      );
    } else if (mark.mark === 'dots') drawDots(ctx, ink, mark, look, x, y);
    else if (mark.mark === 'point') {
      drawPoint(ctx, ink, mark, look, x, y);
      const [from, to] = mark.across ?? [mark.at[0], mark.at[0]];
      bars.push({ from: x(from) - 5, to: x(to) + 5, y: y(mark.at[1]) });
      words.push({
        x: x(mark.at[0]) + 8,
        y: y(mark.at[1]) - 7,
        text: owner?.behaviour ?? '',
        anchor: 'start',
        tone: 'ink-1',
      });
      stops.push([
        stop(
          x(mark.at[0]),
          y(mark.at[1]),
          `${panel.x.label} ${plain(mark.at[0])}, ${panel.y.label} ${plain(mark.at[1])}${unit}`,
        ),
      ]);
    } else rule(ctx, ink, mark, frame, x, y, words);
  }
  return { shapes: ctx.shapes, words: apart(words, frame, bars), stops: stops.filter((list) => list.length > 0) };
}

/** The horizontal axis: names, or numbers with their grid. */
function across(ctx: Recorder, ink: Ink, panel: PanelView, frame: Frame, words: Words[]): { x: Value; each: number } {
  const each = (frame.right - frame.left) / Math.max(1, panel.x.categories.length);
  if (panel.x.kind === 'category') {
    panel.x.categories.forEach((name, index) =>
      lines(name, each - 4).forEach((text, row) =>
        words.push({
          x: frame.left + each * (index + 0.5),
          y: frame.bottom + 14 + 11.5 * row,
          text,
          anchor: 'middle',
          tone: 'ink-2',
        }),
      ),
    );
    return { x: (value) => frame.left + each * (value + 0.5), each };
  }
  const made = ticks(
    panel.x,
    panel.marks.flatMap((mark) => reach(mark, 'x')),
    frame.left,
    frame.right,
    44,
  );
  ctx.beginPath();
  for (const { at } of made.ticks) {
    ctx.moveTo(at, frame.top);
    ctx.lineTo(at, frame.bottom);
  }
  ctx.strokeStyle = ink.paint('line-1');
  ctx.lineWidth = 1;
  ctx.stroke();
  for (const { at, text } of made.ticks)
    words.push({ x: at, y: frame.bottom + 14, text, anchor: 'middle', tone: 'ink-3' });
  words.push({
    x: (frame.left + frame.right) / 2,
    y: frame.bottom + 27,
    text: panel.x.label,
    anchor: 'middle',
    tone: 'ink-2',
  });
  return { x: made.scale, each };
}

function level(ctx: Recorder, ink: Ink, frame: Frame, at: readonly number[]): void {
  ctx.beginPath();
  for (const y of at) {
    ctx.moveTo(frame.left, y);
    ctx.lineTo(frame.right, y);
  }
  ctx.strokeStyle = ink.paint('line-1');
  ctx.lineWidth = 1;
  ctx.stroke();
  base(ctx, ink, frame, frame.bottom);
}

function base(ctx: Recorder, ink: Ink, frame: Frame, y: number): void {
  ctx.beginPath();
  ctx.moveTo(frame.left, y);
  ctx.lineTo(frame.right, y);
  ctx.strokeStyle = ink.paint('line-3');
  ctx.lineWidth = 1;
  ctx.stroke();
}

function rule(
  ctx: Recorder,
  ink: Ink,
  mark: { x: number | null; y: number | null; label: string },
  frame: Frame,
  x: Value,
  y: Value,
  words: Words[],
): void {
  ctx.beginPath();
  if (mark.x !== null) {
    ctx.moveTo(x(mark.x), frame.top);
    ctx.lineTo(x(mark.x), frame.bottom);
    words.push({ x: x(mark.x) + 4, y: frame.top + 9, text: mark.label, anchor: 'start', tone: 'ink-2' });
  }
  if (mark.y !== null) {
    ctx.moveTo(frame.left, y(mark.y));
    ctx.lineTo(frame.right, y(mark.y));
  }
  ctx.strokeStyle = ink.paint('ink-2');
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 2]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A horizontal interval with its marker, which no name may cover. */
interface Bar {
  from: number;
  to: number;
  y: number;
}

/** Lines by which a name moves until it is free: down, else up. */
const MOVES = [0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6];

/** Names of points that would lie on each other or on an interval move by lines; none leaves the panel. */
function apart(words: readonly Words[], frame: Frame, bars: readonly Bar[]): Words[] {
  const wide = ({ text }: Words) => text.length * 5.8;
  const left = (word: Words) => (word.anchor === 'end' ? word.x - wide(word) : word.x);
  const names: Words[] = [];
  return words.map((word) => {
    if (word.anchor !== 'start' || word.x <= frame.left || word.x >= frame.right) return word;
    const held: Words = word.x + wide(word) > frame.right ? { ...word, anchor: 'end', x: word.x - 16 } : word;
    const [from, to] = [left(held), left(held) + wide(held)];
    const free = ({ y }: Words) =>
      y >= frame.top + 6 &&
      y <= frame.bottom - 3 &&
      names.every((other) => Math.abs(other.y - y) >= 10 || left(other) >= to || from >= left(other) + wide(other)) &&
      bars.every((bar) => bar.from >= to || from >= bar.to || bar.y <= y - 9 || bar.y >= y + 2);
    const moved = MOVES.map((rows) => ({ ...held, y: held.y + 11 * rows })).find(free) ?? held;
    names.push(moved);
    return moved;
  });
}
