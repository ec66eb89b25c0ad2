// Legend of a figure: what it names, and samples drawn as the marks are, for the screen and for files.
import type { FigureView, MarkView } from '../../ipc/gen/types';
import { drawMarker } from '../glyphs';
import type { Ink, Surface } from '../surface';
import { drawDots, drawLine, lineStyle, lookOf, outline, stroke, tinted, type Look } from './marks';

/** The key of a figure: behaviours once each, and how full each group is where a panel has several. */
export interface Keyed {
  /** As lines with their markers, or filled where they are boxes and bars. */
  behaviours: { name: string; look: Look; filled: boolean }[];
  groups: { name: string; fill: number }[];
}

/** Whether a mark has the look of its series, so that a key is needed where nothing else names it. */
function looks(mark: MarkView): boolean {
  // The rule over a panel explains its dots, and points have their names beside them.
  return mark.mark === 'box' || mark.mark === 'bar' || (mark.mark === 'line' && !INKED.includes(mark.look));
}
const INKED: readonly string[] = ['ink', 'ink_dashed', 'thin'];

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

/** The groups stand along the axis. */
function named(panel: FigureView['panels'][number], { series }: FigureView): boolean {
  return series.every(({ captures }) => panel.x.categories.some((name) => name.startsWith(captures)));
}

/** Width of a sample that is a line, px, and of one that is filled. */
export const SAMPLE = 28;
const FILLED = 12;

/** A name and its sample. */
export interface Entry {
  text: string;
  /** Stands behind the name on the screen. */
  note?: string;
  /** Px of the sample. */
  width: number;
  /** Draws the sample from `x` to the right, around the height `y`. */
  draw: (ctx: Surface, ink: Ink, x: number, y: number) => void;
}

/** Groups, behaviours and shapes of a figure, each with its sample. */
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
