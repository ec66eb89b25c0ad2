// Rows and axis of the panels of attempt patterns, common to all links, and the patterns in words.
import type { LinkPatternsView, ShareCheckView } from '../../ipc/gen/types';
import { valueScale, type ValueScale } from '../../plot/scale';
import { valueTicks } from '../../plot/ticks';

/** Pattern that stands for all those without a row of their own. */
export const OTHERS = '';

/** Rows and axis of all panels. */
export interface PatternGrid {
  /** Patterns from top to bottom: fewest attempts first, of those the earliest acknowledgement first, OTHERS last. */
  rows: readonly string[];
  /** Scale from a share, 0 to 1, to px; and its ticks. */
  x: ValueScale;
  ticks: readonly number[];
}

/** Compares two patterns by the order of rows. */
function before(a: string, b: string): number {
  if (a === OTHERS || b === OTHERS) return Number(a === OTHERS) - Number(b === OTHERS);
  return a.length - b.length || (a < b ? 1 : a > b ? -1 : 0);
}

/** Rows and axis for `links`, in panels `width` px wide. */
export function patternGrid(links: readonly LinkPatternsView[], width: number): PatternGrid {
  const all = links.flatMap(({ patterns }) => patterns);
  const rows = [...new Set(all.map(({ subject }) => subject))].sort(before);
  const most = Math.max(0.1, ...all.map(({ recorded, hi90 }) => Math.max(recorded, hi90)));
  return { rows, x: valueScale([0, most], [0, width], false), ticks: valueTicks(0, most, false, 4) };
}

/** Share of a pattern on a link; undefined: it did not occur there. */
export const rowOf = (link: LinkPatternsView, pattern: string): ShareCheckView | undefined =>
  link.patterns.find(({ subject }) => subject === pattern);

/** Pattern in words: `not, then acknowledged`. */
export function patternWords(pattern: string): string {
  if (pattern === OTHERS) return 'any other pattern';
  return [...pattern].map((attempt) => (attempt === 'A' ? 'acknowledged' : 'not')).join(', then ');
}
