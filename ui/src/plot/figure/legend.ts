// Legend of a figure: its entries, with samples drawn by the functions that draw the marks, for the screen and for
// files.
import type { FigureView, MarkView } from '../../ipc/gen/types';
import { drawMarker } from '../glyphs';
import type { Ink, Surface } from '../surface';
import { drawDots, drawLine, lineStyle, lookOf, outline, stroke, tinted, type Look } from './marks';

/** Content of a legend: each behaviour once, and the groups where a panel has several. */
export interface Keyed {
  /**
   * Behaviours with their look; `filled` where all their marks are boxes and bars, otherwise they are lines with
   * markers.
   */
  behaviours: { name: string; look: Look; filled: boolean }[];
  /** Groups with the opacity of their fill, 0 to 1; empty where there is one group, or names of an axis tell them. */
  groups: { name: string; fill: number }[];
}

/** Whether a mark has the look of its series, which an entry must then explain. */
function looks(mark: MarkView): boolean {
  // Dots are explained by the text over their panel, and points by the names beside them: neither needs an entry.
  return mark.mark === 'box' || mark.mark === 'bar' || (mark.mark === 'line' && !INKED.includes(mark.look));
}
const INKED: readonly string[] = ['ink', 'ink_dashed', 'thin'];

/** Content of the legend of a figure. Behaviours and groups that axes or titles name already are left out. */
export function keyed(figure: FigureView): Keyed {
  const of = (panel: FigureView['panels'][number]) =>
    panel.marks.flatMap((mark) => ('series' in mark && looks(mark) ? (figure.series[mark.series] ?? []) : []));
  const isFilled = ({ mark }: MarkView) => mark === 'box' || mark === 'bar';
  // Boxes and bars are named by the axis they stand on, or by the title over them.
  const open = figure.panels.map((panel) => ({
    ...panel,
    marks: panel.marks.filter((mark) => {
      const name = 'series' in mark ? figure.series[mark.series]?.behaviour : undefined;
      return !isFilled(mark) || !(panel.title === name || panel.x.categories.some((category) => category === name));
    }),
  }));
  const drawn = open.flatMap(of);
  const lined = new Set(
    open.flatMap((panel) => of({ ...panel, marks: panel.marks.filter((mark) => !isFilled(mark)) })),
  );
  const behaviours = figure.series.filter(
    ({ behaviour }, index) =>
      figure.series.findIndex((other) => other.behaviour === behaviour) === index &&
      drawn.some((other) => other.behaviour === behaviour),
  );
  // Boxes and bars are filled; what lines and dots belong to stands over their panel.
  const filled = figure.panels.map((panel) => ({
    ...panel,
    marks: panel.marks.filter(({ mark }) => mark === 'box' || mark === 'bar'),
  }));
  const several = filled.some((panel) => {
    const groups = new Set(of(panel).map(({ group }) => group));
    return groups.size > 1 && !named(panel, figure);
  });
  const groups = several
    ? figure.series.filter(({ group }, index) => figure.series.findIndex((other) => other.group === group) === index)
    : [];
  return {
    behaviours: behaviours.map((series) => ({
      name: series.behaviour,
      look: lookOf(series),
      filled: ![...lined].some(({ behaviour }) => behaviour === series.behaviour),
    })),
    groups: groups.map((series) => ({ name: series.captures, fill: lookOf(series).fill })),
  };
}

/** Whether the horizontal axis of a panel names every group. */
function named(panel: FigureView['panels'][number], { series }: FigureView): boolean {
  return series.every(({ captures }) => panel.x.categories.some((name) => name.startsWith(captures)));
}

/** Width of a sample, px: of a line, and of a filled one. */
export const SAMPLE = 28;
const FILLED = 12;

/** An entry of a legend: a name and its sample. */
export interface Entry {
  text: string;
  /** Note behind the name, on the screen only. */
  note?: string;
  /** Width of the sample, px. */
  width: number;
  /** Draws the sample from `x` to the right, around the height `y`. */
  draw: (ctx: Surface, ink: Ink, x: number, y: number) => void;
}

/** Entries of a figure's legend: groups, then behaviours, then shapes of marks. */
export function entriesOf(figure: FigureView): Entry[] {
  const { behaviours, groups } = keyed(figure);
  const shapes = new Map(figure.panels.flatMap(({ key }) => key.map((line) => [line.text, line] as const)));
  return [
    ...groups.map(({ name, fill }) => filledEntry(name, { colour: 'recorded', fill, reading: false })),
    ...behaviours.map(({ name, look, filled }) => ({
      ...(filled ? filledEntry(name, look) : lineEntry(name, look)),
      ...(look.reading ? { note: '(reading)' } : {}),
    })),
    ...[...shapes.values()].map(shapeEntry),
  ];
}

function filledEntry(text: string, look: Pick<Look, 'colour' | 'fill' | 'reading'>): Entry {
  const draw = (ctx: Surface, ink: Ink, x: number, y: number) => {
    ctx.beginPath();
    ctx.rect(x, y - 5, FILLED, 10);
    tinted(ctx, ink, look);
    stroke(ctx, ink, look.colour, 1, outline(look));
  };
  return { text, width: FILLED, draw };
}

function lineEntry(text: string, look: Look): Entry {
  const draw = (ctx: Surface, ink: Ink, x: number, y: number) => {
    const [colour, width, dash] = lineStyle('series', look);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + SAMPLE, y);
    stroke(ctx, ink, colour, width, dash);
    if (look.marker !== 'none') drawMarker(ctx, ink, look, x + SAMPLE / 2, y, 3.4);
  };
  return { text, width: SAMPLE, draw };
}

const flat = (value: number) => value;

function shapeEntry({ text, dot, line }: FigureView['panels'][number]['key'][number]): Entry {
  const mark = { series: 0, look: line ?? 'ink', band: [], right: false, markers: false };
  const draw = (ctx: Surface, ink: Ink, x: number, y: number) => {
    const look = lookOf(undefined);
    const ends: [number, number][] = [[x, y], [x + SAMPLE, y]]; // prettier-ignore
    if (dot)
      drawDots(ctx, ink, { mark: 'dots', series: 0, points: [[x + SAMPLE / 2, y]], shape: dot }, look, flat, flat);
    else if (line) drawLine(ctx, ink, { ...mark, mark: 'line', points: ends }, look, flat, flat);
  };
  return { text, width: SAMPLE, draw };
}
