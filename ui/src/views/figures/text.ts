import { fixed } from '../../format';
import type { FigureTable, FigureView } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';

/** Digits that count in a column on the screen; files and copies have them all. */
const DIGITS = 4;

/** Decimals of a column: as many as its greatest number needs to show {@link DIGITS} digits, and none more than any has. */
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

/** The table on the screen: numbers of a column have equal decimals, so that their digits stand under each other. */
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

/** Title of the table, with the unit where all panels have one. */
export function tableTitle({ title, panels }: FigureView): string {
  const units = new Set(panels.map(({ y }) => y.unit));
  const [unit] = units;
  return units.size === 1 && unit ? `${title}, ${unit}` : title;
}

/** The figure's numbers as a table with every digit, its caption as the note. */
export function figureTable({ table, title, caption, settings }: FigureView): TextTable {
  const { columns, numeric, rows } = table;
  const note = `${title}. ${caption.join(' ')}`;
  return { columns, numeric, rows, note, ...(settings !== undefined && { settings }) };
}
