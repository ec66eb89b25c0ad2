import type { Token } from './series';

/** The surface that marks draw on: a canvas, or a recorder that makes SVG of the same strokes. */
export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'globalAlpha'
  | 'lineJoin'
  | 'beginPath'
  | 'closePath'
  | 'moveTo'
  | 'lineTo'
  | 'rect'
  | 'fillRect'
  | 'strokeRect'
  | 'arc'
  | 'fill'
  | 'stroke'
  | 'setLineDash'
>;

/** Colours and hatches for a surface: tokens for SVG, computed values and patterns for canvas. */
export interface Ink {
  paint(token: Token): string;
  hatch(token: Token): string | CanvasPattern;
}

/** Ink for SVG: the document's own tokens, so that a theme change needs no redraw. */
export const SVG_INK: Ink = {
  paint: (token) => `var(--${token})`,
  hatch: (token) => `url(#hatch-${token})`,
};

/** Key of Svelte's context whose value true makes every layer SVG, however many marks it has. */
export const VECTOR = Symbol('vector');

/**
 * A stroke or fill as an SVG path: path data, colours (`none` for no stroke or fill), stroke width and dash in px,
 * opacity 0 to 1.
 */
export interface Shape {
  d: string;
  fill: string;
  stroke: string;
  width: number;
  opacity: number;
  dash: string;
}

const NONE = 'none';

/** A surface that records shapes for SVG. Neighbouring fills and strokes of one style become one path. */
export class Recorder implements Surface {
  fillStyle: string | CanvasGradient | CanvasPattern = NONE;
  strokeStyle: string | CanvasGradient | CanvasPattern = NONE;
  lineWidth = 1;
  globalAlpha = 1;
  lineJoin: CanvasLineJoin = 'miter';
  /** The shapes so far, in order of drawing. */
  readonly shapes: Shape[] = [];
  #path = '';
  #dash: readonly number[] = [];

  /** The current path as SVG path data. */
  get path(): string {
    return this.#path;
  }
  beginPath(): void {
    this.#path = '';
  }
  closePath(): void {
    this.#path += 'Z';
  }
  moveTo(x: number, y: number): void {
    this.#path += `M${n(x)},${n(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.#path += `L${n(x)},${n(y)}`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${n(x)},${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`;
  }
  /** Fills a rectangle, which costs a canvas less than a path of rectangles; here it is the same. */
  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  /** Strokes the edge of a rectangle; as with {@link fillRect}, a path of them is what costs a canvas. */
  strokeRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }
  arc(x: number, y: number, r: number, from: number, to: number): void {
    const start = `${n(x + r * Math.cos(from))},${n(y + r * Math.sin(from))}`;
    if (Math.abs(to - from) >= 2 * Math.PI - 1e-9) {
      this.#path += `M${start}a${n(r)},${n(r)} 0 1 1 ${n(-2 * r)},0a${n(r)},${n(r)} 0 1 1 ${n(2 * r)},0Z`;
    } else {
      const large = Math.abs(to - from) > Math.PI ? 1 : 0;
      this.#path += `M${start}A${n(r)},${n(r)} 0 ${large} ${to > from ? 1 : 0} ${n(x + r * Math.cos(to))},${n(y + r * Math.sin(to))}`;
    }
  }
  setLineDash(segments: Iterable<number>): void {
    this.#dash = [...segments];
  }
  fill(): void {
    this.#push({
      d: this.#path,
      fill: String(this.fillStyle),
      stroke: NONE,
      width: 0,
      opacity: this.globalAlpha,
      dash: '',
    });
  }
  stroke(): void {
    const dash = this.#dash.join(' ');
    const stroke = String(this.strokeStyle);
    this.#push({ d: this.#path, fill: NONE, stroke, width: this.lineWidth, opacity: this.globalAlpha, dash });
  }

  /** The shapes as text of SVG paths, a line each: for golden tests and files. */
  markup(): string {
    return this.shapes
      .map(({ d, fill, stroke, width, opacity, dash }) => {
        const attributes = [
          `d="${d}"`,
          `fill="${fill}"`,
          ...(stroke === NONE ? [] : [`stroke="${stroke}"`, `stroke-width="${n(width)}"`]),
          ...(opacity === 1 ? [] : [`opacity="${n(opacity)}"`]),
          ...(dash ? [`stroke-dasharray="${dash}"`] : []),
        ];
        return `<path ${attributes.join(' ')}/>`;
      })
      .join('\n');
  }

  #push(shape: Shape): void {
    if (!shape.d) return;
    const last = this.shapes.at(-1);
    const same =
      last && (['fill', 'stroke', 'width', 'opacity', 'dash'] as const).every((key) => last[key] === shape[key]);
    if (same) last.d += shape.d;
    else this.shapes.push(shape);
  }
}

/** A number with at most two decimals, and never -0. */
function n(value: number): number {
  return Number(value.toFixed(2)) + 0;
}
