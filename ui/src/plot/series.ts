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
  | 'loss-1'
  | 'loss-2'
  | 'loss-3'
  | 'loss-4'
  | 'loss-5'
  | 'ink-1'
  | 'ink-2'
  | 'ink-3'
  | 'line-1'
  | 'line-2'
  | 'line-3'
  | 'bg-1'
  | 'accent';

/** Marker of a series; {@link ./glyphs} draws it. */
export type Marker =
  'none' | 'circle' | 'diamond' | 'triangle' | 'square' | 'triangle-down' | 'plus' | 'cross' | 'star';

/** Look of a behaviour in every plot and table. */
export interface Style {
  /** Token of its colour. */
  colour: Token;
  /** Lengths of dashes and gaps, px; empty for a solid line. */
  dash: readonly number[];
  marker: Marker;
  /** Whether the marker is hollow: for variants of a preset, which share its hue. */
  hollow: boolean;
}

/** Look of the recorded behaviour: ink, solid, without a marker. */
export const RECORDED: Style = { colour: 'recorded', dash: [], marker: 'none', hollow: false };

const COLOURS = ['s1', 's2', 's3', 's4', 's5', 's6'] as const;

/** Dashes of series, px, equal to the tokens `--d1` to `--d8` (a test compares them). */
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

/**
 * Style of an algorithm by its index in the registry, from 0: colour modulo 6, dash and marker modulo 8. Each further
 * variant moves dash and marker on by three.
 */
export function seriesStyle(order: number, variant = 0): Style {
  const turn = order + variant * 3;
  return {
    colour: COLOURS[order % COLOURS.length] ?? 's1',
    dash: DASHES[turn % DASHES.length] ?? [],
    marker: MARKERS[turn % MARKERS.length] ?? 'circle',
    hollow: variant > 0,
  };
}
