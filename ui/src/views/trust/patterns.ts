// Places of the panels of attempt patterns: one a link, rows shared by all of a line of panels.
import type { LinkPatternsView, ShareCheckView } from '../../ipc/gen/types';
import { valueScale, type ValueScale } from '../../plot/scale';
import { valueTicks } from '../../plot/ticks';

/** Stands for all patterns that have no row of their own. */
export const OTHERS = '';

export interface PatternGrid {
  /** Patterns from top to bottom: short ones first, the earliest acknowledgement first. */
  rows: readonly string[];
  /** Share to px, and its ticks. */
  x: ValueScale;
  ticks: readonly number[];
}

/** Order of patterns: by attempts, then by what was acknowledged first; the rest at the end. */
function before(a: string, b: string): number {
  if (a === OTHERS || b === OTHERS) return Number(a === OTHERS) - Number(b === OTHERS);
  return a.length - b.length || (a < b ? 1 : a > b ? -1 : 0);
}

/** Rows and axis of `links`, in panels of `width` px. */
export function patternGrid(links: readonly LinkPatternsView[], width: number): PatternGrid {
  const all = links.flatMap(({ patterns }) => patterns);
  const rows = [...new Set(all.map(({ subject }) => subject))].sort(before);
  const most = Math.max(0.1, ...all.map(({ recorded, hi90 }) => Math.max(recorded, hi90)));
  return { rows, x: valueScale([0, most], [0, width], false), ticks: valueTicks(0, most, false, 4) };
}

/** The row of a pattern on a link. */
export const rowOf = (link: LinkPatternsView, pattern: string): ShareCheckView | undefined =>
  link.patterns.find(({ subject }) => subject === pattern);

/** `not, then acknowledged`: a pattern in words. */
export function patternWords(pattern: string): string {
  if (pattern === OTHERS) return 'any other pattern';
  return [...pattern].map((attempt) => (attempt === 'A' ? 'acknowledged' : 'not')).join(', then ');
}
