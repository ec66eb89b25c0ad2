/** Names of colour tokens that marks may use. */
export type Token =
  | 'recorded'
  | 'waste'
  | 's1'
  | 's2'
  | 's3'
  | 's4'
  | 's5'
  | 's6'
  | 'ink-1'
  | 'ink-2'
  | 'ink-3'
  | 'line-1'
  | 'line-2'
  | 'line-3'
  | 'bg-1'
  | 'accent';

export type Marker =
  'none' | 'circle' | 'diamond' | 'triangle' | 'square' | 'triangle-down' | 'plus' | 'cross' | 'star';

/** How a behaviour is drawn wherever it appears (DESIGN §3). */
export interface Style {
  colour: Token;
  dash: readonly number[];
  marker: Marker;
  /** A variant of a preset: same hue, other dash, hollow marker. */
  hollow: boolean;
}

/** What was captured: ink, solid, heavier. */
export const RECORDED: Style = { colour: 'recorded', dash: [], marker: 'none', hollow: false };

const COLOURS = ['s1', 's2', 's3', 's4', 's5', 's6'] as const;

/** As the tokens `--d1` to `--d8`; a test compares them. */
export const DASHES: readonly (readonly number[])[] = [
  [7, 3],
  [7, 2, 1.5, 2],
  [2.5, 2],
  [12, 3],
  [1.2, 2.4],
  [7, 2, 1.5, 2, 1.5, 2],
  [4, 2, 1.5, 2],
  [14, 3, 3, 3],
];

const MARKERS: readonly Marker[] = [
  'circle',
  'diamond',
  'triangle',
  'square',
  'triangle-down',
  'plus',
  'cross',
  'star',
];

/** Colour by registry order mod 6, dash and marker mod 8; variants move on by three. */
export function seriesStyle(order: number, variant = 0): Style {
  const turn = order + variant * 3;
  return {
    colour: COLOURS[order % COLOURS.length] ?? 's1',
    dash: DASHES[turn % DASHES.length] ?? [],
    marker: MARKERS[turn % MARKERS.length] ?? 'circle',
    hollow: variant > 0,
  };
}

/** Outline of a marker of radius `r` around the origin, as an SVG path; empty for `none`. */
export function markerPath(marker: Marker, r: number): string {
  const n = (value: number) => Number(value.toFixed(2));
  const polygon = (points: readonly (readonly [number, number])[]) =>
    `M${points.map(([x, y]) => `${n(x)},${n(y)}`).join('L')}Z`;
  switch (marker) {
    case 'circle':
      return `M${n(-r)},0A${n(r)},${n(r)} 0 1 1 ${n(r)},0A${n(r)},${n(r)} 0 1 1 ${n(-r)},0Z`;
    case 'diamond':
      return polygon([
        [0, -r * 1.25],
        [r * 1.25, 0],
        [0, r * 1.25],
        [-r * 1.25, 0],
      ]);
    case 'triangle':
      return polygon([
        [0, -r * 1.25],
        [r * 1.2, r * 0.95],
        [-r * 1.2, r * 0.95],
      ]);
    case 'triangle-down':
      return polygon([
        [0, r * 1.25],
        [r * 1.2, -r * 0.95],
        [-r * 1.2, -r * 0.95],
      ]);
    case 'square':
      return polygon([
        [-r, -r],
        [r, -r],
        [r, r],
        [-r, r],
      ]);
    case 'plus':
      return cross(r * 1.3, r * 0.45, 0, polygon);
    case 'cross':
      return cross(r * 1.3, r * 0.45, Math.PI / 4, polygon);
    case 'star':
      return polygon(
        Array.from({ length: 10 }, (_, k) => {
          const [angle, size] = [(k * Math.PI) / 5, k % 2 === 0 ? r * 1.4 : r * 0.6];
          return [Math.sin(angle) * size, -Math.cos(angle) * size] as const;
        }),
      );
    case 'none':
      return '';
  }
}

function cross(
  arm: number,
  half: number,
  turn: number,
  polygon: (points: readonly (readonly [number, number])[]) => string,
): string {
  const points: [number, number][] = [
    [-half, -arm],
    [half, -arm],
    [half, -half],
    [arm, -half],
    [arm, half],
    [half, half],
    [half, arm],
    [-half, arm],
    [-half, half],
    [-arm, half],
    [-arm, -half],
    [-half, -half],
  ];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return polygon(points.map(([x, y]) => [x * c - y * s, x * s + y * c] as const));
}
