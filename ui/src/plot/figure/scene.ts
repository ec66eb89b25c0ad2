// A panel as shapes and labels, from which the screen, SVG files and PNG files are made.
import { plain } from '../../format';
import type { FigureSeries, PanelView } from '../../ipc/gen/types';
import type { Token } from '../series';
import { axisX, axisY, drawSegments, type Anchor, type AxisTick } from '../frame/axis';
import type { Stop } from '../frame/Walker.svelte';
import { Recorder, type Ink, type Shape } from '../surface';
import { drawBar, drawBox, drawCell, drawDots, drawLine, drawPoint, lookOf, type Look } from './marks';
import { frameOf, lines, reach, rows, ticks, needsLabel, type Frame, type Value } from './place';

/** A text in a panel; `x` is its anchor and `y` its baseline, px. */
export interface Label {
  x: number;
  y: number;
  text: string;
  anchor: Anchor;
  tone: Extract<Token, 'ink-1' | 'ink-2' | 'ink-3'>;
  bold?: boolean;
}

/** A panel as shapes and labels, laid out in px. */
export interface Scene {
  shapes: readonly Shape[];
  labels: readonly Label[];
  /** Places that the keyboard walks, a list for each mark that has any. */
  stops: readonly (readonly Stop[])[];
}

/** Most points of a line that the keyboard walks. */
const WALKED = 60;

/** Distance between the markers of lines that are drawn at equal places, px. */
const DODGE = 6;

/**
 * Draws a panel into `width` × `height` px, on axes that reach all marks of `peers`; the label of the vertical axis
 * stands `indent` px from the left.
 */
export function scene(
  panel: PanelView,
  series: readonly FigureSeries[],
  width: number,
  height: number,
  ink: Ink,
  peers: readonly PanelView[] = [panel],
  indent = 0,
): Scene {
  const ctx = new Recorder();
  const frame = frameOf(panel, width, height);
  const labels: Label[] = [];
  const marks = peers.flatMap((peer) => peer.marks);
  const { x, each } = across(ctx, ink, panel, marks, frame, labels);
  const all = (axis: 'y' | 'right') => marks.flatMap((mark) => reach(mark, axis));
  // A tall panel has no more lines than a low one needs.
  const gap = Math.max(26, (frame.bottom - frame.top) / 11);
  const isMatrix = panel.y.kind === 'category';
  const left = isMatrix
    ? rows(panel.y, frame.top, frame.bottom)
    : ticks(panel.y, all('y'), frame.bottom, frame.top, gap);
  const right = panel.right ? ticks(panel.right, all('right'), frame.bottom, frame.top, gap) : null;
  drawAxis(
    ctx,
    ink,
    axisY({ ...left, x: frame.left - 6, from: frame.left, to: isMatrix ? frame.left : frame.right }),
    labels,
  );
  drawBase(ctx, ink, frame, frame.bottom);
  if (right) drawAxis(ctx, ink, axisY({ ...right, x: frame.right + 6, anchor: 'start' }), labels);
  if (needsLabel(panel, panel.y))
    labels.push({ x: indent, y: 11, text: panel.y.label, anchor: 'start', tone: 'ink-2' });
  if (panel.right && needsLabel(panel, panel.right))
    labels.push({ x: width, y: 11, text: panel.right.label, anchor: 'end', tone: 'ink-2' });
  if (panel.y.kind === 'linear' && left.base < frame.bottom - 0.5) drawBase(ctx, ink, frame, left.base);

  const own = panel.marks.filter((mark) => mark.mark === 'line' && (mark.look === 'series' || mark.look === 'step'));
  const plot: Plot = { ctx, ink, panel, frame, each, x, labels, taken: [], names: [], own };
  let id = 0;
  const stops = panel.marks.map((mark) => {
    const owner = 'series' in mark ? series[mark.series] : undefined;
    const y = mark.mark === 'line' && mark.right && right ? right.scale : left.scale;
    const placed = drawMark(plot, mark, { look: lookOf(owner), behaviour: owner?.behaviour ?? '', y });
    return placed.map((stop): Stop => ({ ...stop, id: id++, label: `${owner?.name ?? ''}: ${stop.label}` }));
  });
  labels.push(...apart(ctx, ink, plot.names, plot.taken, frame));
  return { shapes: ctx.shapes, labels, stops: stops.filter((list) => list.length > 0) };
}

/** A panel that is being drawn: its axes, and the output of its marks. */
interface Plot {
  ctx: Recorder;
  ink: Ink;
  panel: PanelView;
  frame: Frame;
  /** Width of a category of the horizontal axis, px. */
  each: number;
  x: Value;
  labels: Label[];
  /** Rectangles of marks, and points whose names stand apart from them. */
  taken: Box[];
  names: Name[];
  /** Lines of series, which step aside where they would cover one another. */
  own: readonly Mark[];
}

/** Look of a mark, name of the behaviour that it belongs to, and the vertical scale that it stands on. */
interface Owned {
  look: Look;
  behaviour: string;
  y: Value;
}

type Mark = PanelView['marks'][number];
type Of<K extends Mark['mark']> = Extract<Mark, { mark: K }>;

/** A place of a mark for the keyboard, and what is read there. */
type Place = Omit<Stop, 'id'>;

/** Draws a mark and adds its labels; returns its places for the keyboard. */
function drawMark(plot: Plot, mark: Mark, owned: Owned): Place[] {
  const { ctx, ink, frame, x, labels } = plot;
  switch (mark.mark) {
    case 'box':
      return [box(plot, mark, owned)];
    case 'bar':
      return [bar(plot, mark, owned)];
    case 'line':
      return line(plot, mark, owned);
    case 'cell':
      return [cell(plot, mark, owned)];
    case 'point':
      return [point(plot, mark, owned)];
    case 'dots':
      drawDots(ctx, ink, mark, owned.look, x, owned.y);
      return [];
    case 'rule':
      rule(ctx, ink, mark, frame, x, owned.y, labels);
      return [];
  }
}

/** Unit of the vertical axis as it stands behind a number; empty without one. */
const unitOf = ({ panel }: Plot) => panel.y.unit && `\u00a0${panel.y.unit}`;

function box(plot: Plot, mark: Of<'box'>, { look, y }: Owned): Place {
  const { ctx, ink, panel, frame, each, labels } = plot;
  const place = drawBox(ctx, ink, mark, look, { frame, each, y });
  if (mark.label)
    labels.push({ ...place, text: mark.label, anchor: 'middle', tone: 'ink-2', bold: mark.label.length < 4 });
  const [low, lower, median, upper, high] = mark.five.map((value) => plain(value) + unitOf(plot));
  const more = mark.outliers.length > 0 ? `, ${mark.outliers.length} outliers` : '';
  const name = mark.label ? `, ${mark.label}` : '';
  return {
    x: place.x,
    y: y(mark.five[2]),
    label: `${panel.x.categories[mark.x] ?? ''}, median ${median}, box ${lower} to ${upper}, whiskers ${low} to ${high}, ${mark.n} values${more}${name}`,
  };
}

function bar(plot: Plot, mark: Of<'bar'>, { look, y }: Owned): Place {
  const { ctx, ink, panel, frame, each, labels } = plot;
  const place = drawBar(ctx, ink, mark, look, { frame, each, y });
  if (mark.label) labels.push({ ...place, text: mark.label, anchor: 'middle', tone: 'ink-2' });
  const unit = unitOf(plot);
  const ends = mark.interval ? `, ${plain(mark.interval[0])} to ${plain(mark.interval[1])}` : '';
  const most = mark.most === null ? '' : `, greatest ${plain(mark.most)}${unit}`;
  return {
    x: place.x,
    y: y(mark.value),
    label: `${panel.x.categories[mark.x] ?? ''}, ${plain(mark.value)}${unit}${ends}${most}`,
  };
}

function line(plot: Plot, mark: Of<'line'>, { look, y }: Owned): Place[] {
  const { ctx, ink, panel, x, taken, names, own } = plot;
  const among = { index: own.indexOf(mark), count: own.length };
  // Lines through few places, at which several may have equal values.
  const aside = mark.markers ? DODGE * (among.index - (among.count - 1) / 2) : 0;
  drawLine(ctx, ink, mark, look, (value) => x(value) + aside, y, among);
  for (const [index, text] of (mark.labels ?? []).entries()) {
    const [px, py] = [x(mark.points[index]?.[0] ?? NaN) + aside, y(mark.points[index]?.[1] ?? NaN)];
    taken.push(around(px, py, 5));
    if (text) names.push({ x: px, y: py, text });
  }
  const every = Math.max(1, Math.ceil(mark.points.length / WALKED));
  const shown = (mark.points as [number, number][]).filter((_, index) => index % every === 0);
  const axis = mark.right && panel.right ? panel.right : panel.y;
  return shown.map(([at, value]) => ({
    x: x(at) + aside,
    y: y(value),
    label: `${panel.x.label} ${plain(at)}${panel.x.unit && ` ${panel.x.unit}`}, ${axis.label} ${plain(value)}${axis.unit && ` ${axis.unit}`}`,
  }));
}

function cell({ ctx, ink, panel, frame, each, labels }: Plot, mark: Of<'cell'>, { look }: Owned): Place {
  const row = (frame.bottom - frame.top) / Math.max(1, panel.y.categories.length);
  const place = drawCell(ctx, ink, mark, look, { frame, each, row });
  labels.push({
    ...place,
    y: place.y + 3.5,
    text: mark.label,
    anchor: 'middle',
    tone: 'ink-1',
    bold: mark.fill > 0,
  });
  return { ...place, label: `${panel.y.categories[mark.y] ?? ''}, ${mark.label}` };
}

function point(plot: Plot, mark: Of<'point'>, { look, behaviour, y }: Owned): Place {
  const { ctx, ink, panel, x, taken, names } = plot;
  drawPoint(ctx, ink, mark, look, x, y);
  const [cx, cy] = [x(mark.at[0]), y(mark.at[1])];
  const [from, to] = (mark.across ?? [mark.at[0], mark.at[0]]).map(x) as [number, number];
  const [low, high] = (mark.along ?? [mark.at[1], mark.at[1]]).map(y) as [number, number];
  taken.push({ left: from - 1, right: to + 1, top: cy - 1, bottom: cy + 1 });
  taken.push({ left: cx - 1, right: cx + 1, top: high - 1, bottom: low + 1 });
  taken.push(around(cx, cy, 5));
  names.push({ x: cx, y: cy, text: behaviour });
  return {
    x: cx,
    y: cy,
    label: `${panel.x.label} ${plain(mark.at[0])}, ${panel.y.label} ${plain(mark.at[1])}${unitOf(plot)}`,
  };
}

/** Draws the horizontal axis, names or numbers with their grid; returns its scale and the width of a category, px. */
function across(
  ctx: Recorder,
  ink: Ink,
  panel: PanelView,
  marks: PanelView['marks'],
  frame: Frame,
  labels: Label[],
): { x: Value; each: number } {
  const each = (frame.right - frame.left) / Math.max(1, panel.x.categories.length);
  if (panel.x.kind === 'category') {
    panel.x.categories.forEach((name, index) =>
      lines(name, each - 4).forEach((text, row) =>
        labels.push({
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
    marks.flatMap((mark) => reach(mark, 'x')),
    frame.left,
    frame.right,
    // Decades are short words.
    panel.x.kind === 'log' ? 30 : 40,
  );
  drawAxis(ctx, ink, axisX({ ...made, y: frame.bottom + 14, from: frame.top, to: frame.bottom }), labels);
  labels.push({
    x: (frame.left + frame.right) / 2,
    y: frame.bottom + 27,
    text: panel.x.label,
    anchor: 'middle',
    tone: 'ink-2',
  });
  return { x: made.scale, each };
}

/** Draws the grid lines of an axis and adds its labels to those of the panel. */
function drawAxis(ctx: Recorder, ink: Ink, axis: readonly AxisTick[], labels: Label[]): void {
  drawSegments(
    ctx,
    ink,
    'line-1',
    axis.flatMap(({ line }) => line ?? []),
  );
  labels.push(...axis.flatMap(({ label }) => (label ? { ...label, tone: 'ink-3' as const } : [])));
}

/** Draws the line that marks stand on. */
function drawBase(ctx: Recorder, ink: Ink, { left, right }: Frame, y: number): void {
  drawSegments(ctx, ink, 'line-3', [{ x1: left, x2: right, y1: y, y2: y }]);
}

/** Draws lines across the panel at a value of either axis. */
function rule(
  ctx: Recorder,
  ink: Ink,
  mark: { x: number | null; y: number | null; label: string },
  frame: Frame,
  x: Value,
  y: Value,
  labels: Label[],
): void {
  ctx.beginPath();
  if (mark.x !== null) {
    ctx.moveTo(x(mark.x), frame.top);
    ctx.lineTo(x(mark.x), frame.bottom);
    labels.push({ x: x(mark.x) + 4, y: frame.top + 9, text: mark.label, anchor: 'start', tone: 'ink-2' });
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

/** A rectangle that no name may cover. */
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The square around a point that reaches `half` px to each side. */
const around = (x: number, y: number, half: number): Box => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
});

/** Name of a point that is still to be placed. */
interface Name {
  x: number;
  y: number;
  text: string;
}

/** Heights of a name over its point, in lines of 11 px, near ones first. */
const ROWS = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, 6, 7, 8, -6];

/**
 * Places names beside their points, where they cover neither each other nor a mark; a line leads to one that stands
 * farther away.
 */
function apart(ctx: Recorder, ink: Ink, names: readonly Name[], taken: readonly Box[], frame: Frame): Label[] {
  const placed: Box[] = [];
  const crossed = (one: Box, other: Box) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  return names.map((name) => {
    const wide = name.text.length * 5.8;
    const at = (row: number, side: number) => {
      const left = side > 0 ? name.x + 8 : name.x - 8 - wide;
      const base = name.y - 7 + 11 * (row > 0 ? row + 0.75 : row);
      return { left, right: left + wide, top: base - 8, bottom: base + 2 };
    };
    const free = (box: Box) =>
      box.left > frame.left &&
      box.right <= frame.right + 6 &&
      box.top >= frame.top - 2 &&
      box.bottom <= frame.bottom - 1 &&
      placed.every((other) => !crossed(box, other)) &&
      taken.every((other) => !crossed(box, other));
    const tried = ROWS.flatMap((row) => [1, -1].map((side) => at(row, side)));
    const box = tried.find(free) ?? at(0, 1);
    placed.push(box);
    const near = Math.max(box.top - name.y, name.y - box.bottom);
    if (near > 14) {
      ctx.beginPath();
      ctx.moveTo(name.x, name.y);
      ctx.lineTo(box.left > name.x ? box.left - 1 : box.right + 1, (box.top + box.bottom) / 2);
      ctx.strokeStyle = ink.paint('ink-3');
      ctx.lineWidth = 0.7;
      ctx.stroke();
    }
    return { x: box.left, y: box.bottom - 2, text: name.text, anchor: 'start', tone: 'ink-1' };
  });
}
