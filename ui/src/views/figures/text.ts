import { fixed } from '../../format';
import type { FigureTable, FigureView } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';

/** Significant digits of the largest number of a column on the screen; files and copies have every digit. */
const DIGITS = 4;

/**
 * Decimals of a column: as many as its largest number needs for {@link DIGITS} digits, at most those of its longest
 * number.
 */
function decimals(cells: readonly (string | null)[]): number {
  let [greatest, longest] = [0, 0];
  for (const cell of cells) {
    const value = cell === null || cell === '' ? NaN : Number(cell);
    if (!Number.isFinite(value)) continue;
    greatest = Math.max(greatest, Math.abs(value));
    longest = Math.max(longest, String(value).split('.')[1]?.length ?? 0);
  }
  const size = greatest > 0 ? Math.floor(Math.log10(greatest)) + 1 : 1;
  return Math.min(longest, Math.max(0, DIGITS - size));
}

/** Rows of the table on the screen: numbers of a column have equal decimals, null is a dash. */
export function shownRows({ rows, numeric }: FigureTable): string[][] {
  const places = numeric.map((number, at) => (number ? decimals(rows.map((row) => row[at] ?? null)) : null));
  return rows.map((row) =>
    row.map((cell, at) => {
      const digits = places[at] ?? null;
      if (cell === null) return '–';
      return digits === null || cell === '' || !Number.isFinite(Number(cell)) ? cell : fixed(Number(cell), digits);
    }),
  );
}

/** Title of the table, with the unit where all panels share one. */
export function tableTitle({ title, panels }: FigureView): string {
  const units = new Set(panels.map(({ y }) => y.unit));
  const [unit] = units;
  return units.size === 1 && unit ? `${title}, ${unit}` : title;
}

/** Numbers of a figure as a table for the clipboard, with every digit; its title and caption are the note. */
export function figureTable({ table, title, caption, settings }: FigureView): TextTable {
  const { columns, numeric, rows } = table;
  const note = `${title}. ${caption.join(' ')}`;
  return { columns, numeric, rows, note, ...(settings !== undefined && { settings }) };
}

/** The first panel of a figure that has marks; undefined where none has. */
export function firstPanel(figure: Pick<FigureView, 'panels'>): FigureView['panels'][number] | undefined {
  return figure.panels.find(({ marks }) => marks.length > 0);
}

/** Reasons why a figure, or parts of it, could not be drawn, in one text; empty where nothing is missing. */
export function whyEmpty(figure: Pick<FigureView, 'panels' | 'missing'>): string {
  if (figure.missing.length > 0) return figure.missing.join(' ');
  return firstPanel(figure) ? '' : 'These captures have nothing that it could show.';
}
