// A whole figure as one sheet for a paper, always in the light theme: panels with letters, legend, caption. SVG and PNG
// have one layout.
import type { FigureView } from '../../ipc/gen/types';
import type { Token } from '../series';
import { Recorder, type Ink, type Shape } from '../surface';
import { entriesOf, SAMPLE } from './legend';
import { LIGHT } from './light';
import { heightOf, peers } from './place';
import { scene, type Label } from './scene';

/** Widths of a sheet, px, by its width in mm, at 96 px an inch: one and two columns of a paper. */
export const WIDTHS = { '88': 333, '180': 680 } as const;
/** Width of a sheet, mm. */
export type SheetWidth = keyof typeof WIDTHS;

/** Height of a panel, px. */
const HEIGHT = 232;
/** Most names along an axis for which half of the wide sheet has room. */
const MOST_NAMES = 7;
/** Space between panels, height of a panel's head, and height of a line of the caption, px. */
const GAP = 14;
const HEAD = 34;
const LINE = 13;

/** A part of a sheet, and its upper left corner, px. */
interface Placed {
  x: number;
  y: number;
  shapes: readonly Shape[];
  labels: readonly Label[];
}

/** A laid out sheet; sizes in px. */
export interface Sheet {
  width: number;
  height: number;
  parts: readonly Placed[];
}

/** Breaks a text between words into lines of `most` characters. */
function wrapped(text: string, most: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + word.length < most) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  return rows;
}

/** Lays out a figure as a sheet of a width. */
export function sheet(figure: FigureView, wide: SheetWidth, ink: Ink): Sheet {
  const width = WIDTHS[wide];
  const names = Math.max(0, ...figure.panels.map(({ x }) => x.categories.length));
  const isWide = figure.panels.length === 1 || names > MOST_NAMES;
  const across = wide === '88' || isWide ? 1 : 2;
  const high = Math.max(HEIGHT, ...figure.panels.map((panel) => heightOf(panel, HEIGHT)));
  const each = (width - GAP * (across - 1)) / across;
  const parts: Placed[] = [];
  figure.panels.forEach((panel, index) => {
    const drawn = scene(panel, figure.series, each, high, ink, peers(panel, figure.panels));
    const [x, y] = [(index % across) * (each + GAP), Math.floor(index / across) * (high + HEAD + GAP)];
    const letter = figure.panels.length > 1 ? `${String.fromCharCode(97 + (index % 26))}  ` : '';
    const rules = wrapped(panel.rule, Math.floor(each / 5.4));
    const labels: Label[] = [
      { x: 0, y: 11, text: letter + panel.title, anchor: 'start', tone: 'ink-1', bold: true },
      ...rules
        .slice(0, 2)
        .map((text, row): Label => ({ x: 0, y: 23 + 10 * row, text, anchor: 'start', tone: 'ink-3' })),
    ];
    parts.push({ x, y, shapes: [], labels }, { x, y: y + HEAD, shapes: drawn.shapes, labels: drawn.labels });
  });
  let y = Math.ceil(figure.panels.length / across) * (high + HEAD + GAP);
  const key = legend(figure, width, ink);
  parts.push({ x: 0, y, ...key });
  y += key.height + 8;
  const caption = wrapped(figure.caption.join(' '), Math.floor(width / 5.5));
  parts.push({
    x: 0,
    y,
    shapes: [],
    labels: caption.map((text, row) => ({ x: 0, y: 10 + LINE * row, text, anchor: 'start', tone: 'ink-2' })),
  });
  return { width, height: y + LINE * caption.length + 6, parts };
}

/** Lays out the legend in lines of `width` px. */
function legend(figure: FigureView, width: number, ink: Ink): Omit<Placed, 'x' | 'y'> & { height: number } {
  const ctx = new Recorder();
  const labels: Label[] = [];
  let [x, y] = [0, 8];
  for (const { text, width: sample, draw } of entriesOf(figure)) {
    const room = 34 + text.length * 5.8 + 14;
    if (x > 0 && x + room > width) [x, y] = [0, y + 16];
    draw(ctx, ink, x + (SAMPLE - sample) / 2, y);
    labels.push({ x: x + 34, y: y + 3.5, text, anchor: 'start', tone: 'ink-1' });
    x += room;
  }
  return { shapes: ctx.shapes, labels, height: labels.length > 0 ? y + 12 : 0 };
}

/** Text of the SVG file of a figure, in the light theme. */
export function figureFile(figure: FigureView, wide: SheetWidth): string {
  return svgFile(sheet(figure, wide, LIGHT), LIGHT, figure.title);
}

const SIZE = 10;
const FONT = 'Inter, "Helvetica Neue", Arial, sans-serif';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Text of an SVG file of the sheet, with the colours of `ink`. */
export function svgFile({ width, height, parts }: Sheet, ink: Ink, title: string): string {
  const hatches = new Set(
    parts.flatMap(({ shapes }) => shapes.flatMap(({ fill }) => /^url\(#hatch-([a-z0-9-]+)\)$/.exec(fill)?.[1] ?? [])),
  );
  const patterns = [...hatches].map(
    (token) =>
      `<pattern id="hatch-${token}" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="4" stroke="${ink.paint(token as Token)}" stroke-width="1.1"/></pattern>`,
  );
  const part = ({ x, y, shapes, labels }: Placed) => {
    const recorder = new Recorder();
    recorder.shapes.push(...shapes);
    const texts = labels.map(
      (word) =>
        `<text x="${round(word.x)}" y="${round(word.y)}" fill="${ink.paint(word.tone)}" text-anchor="${word.anchor}"${word.bold ? ' font-weight="600"' : ''}>${escaped(word.text)}</text>`,
    );
    return `<g transform="translate(${round(x)},${round(y)})">\n${[recorder.markup(), ...texts].filter(Boolean).join('\n')}\n</g>`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(FONT)}" font-size="${SIZE}">`,
    `<title>${escaped(title)}</title>`,
    `<defs>${patterns.join('')}</defs>`,
    `<rect width="${width}" height="${height}" fill="${ink.paint('bg-1')}"/>`,
    ...parts.map(part),
    '</svg>',
    '',
  ].join('\n');
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
