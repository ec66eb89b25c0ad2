// Tables as text for the clipboard. Escapes are those of the core's writers (src-tauri/crates/table/src/paper.rs); one
// file of hostile strings, tabletext.vectors.json, holds both to the same text.

/** Format of a table as text. */
export type TextFormat = 'csv' | 'markdown' | 'latex';

/** A table to be written as text. */
export interface TextTable {
  /** Headings of the columns, in order. */
  columns: readonly string[];
  /** Whether each column holds numbers, which are aligned to the right. */
  numeric: readonly boolean[];
  /** Cells as text with every digit, row by row; null where there is no value. */
  rows: readonly (readonly (string | null)[])[];
  /** Written behind a Markdown table and as a comment before a LaTeX one; CSV has no place for it. */
  note?: string;
  /** Unusual settings of the numbers: a column of CSV, where no note can say them. */
  settings?: string;
}

/** The table as text; ends with a new line. */
export function tableText(table: TextTable, format: TextFormat): string {
  return { csv, markdown, latex }[format](table);
}

function csv({ columns, rows, settings }: TextTable): string {
  const all = [columns, ...rows];
  const lines = settings === undefined ? all : all.map((row, at) => [...row, at === 0 ? 'settings' : settings]);
  return `${lines.map((row) => row.map((cell) => quoted(cell ?? '')).join(',')).join('\n')}\n`;
}

/** A cell of CSV: quoted where it has a separator, a quote or a line end (RFC 4180 §2). */
function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdown({ columns, numeric, rows, note }: TextTable): string {
  const line = (row: readonly (string | null)[]) => `| ${row.map((cell) => pipeless(cell ?? '')).join(' | ')} |`;
  const rule = `|${numeric.map((number) => (number ? ' ---: ' : ' --- ')).join('|')}|`;
  return `${[line(columns), rule, ...rows.map(line)].join('\n')}\n${note ? `\n${note}\n` : ''}`;
}

/** A cell of Markdown: a pipe would end it, a new line the table, and `<` would begin HTML. */
function pipeless(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(CONTROL, ' ');
}

function latex({ columns, numeric, rows, note }: TextTable): string {
  const line = (row: readonly (string | null)[]) =>
    `  ${row.map((cell) => (cell === null ? '--' : texOf(cell))).join(' & ')} \\\\`;
  return [
    ...(note ? [`% ${note.replace(CONTROL, ' ')}`] : []),
    `\\begin{tabular}{${numeric.map((number) => (number ? 'r' : 'l')).join('')}}`,
    '  \\toprule',
    line(columns),
    '  \\midrule',
    ...rows.map(line),
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n');
}

/** Control characters, Unicode category Cc. */
const CONTROL = /\p{Cc}/gu;

const TEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '$<$',
  '>': '$>$',
  '×': '$\\times$',
  '−': '$-$',
};

/** A cell of LaTeX: characters that TeX takes for commands are written out. */
function texOf(text: string): string {
  return text.replace(/[&%$#_{}\\~^<>×−]/g, (character) => TEX[character] ?? `\\${character}`).replace(CONTROL, ' ');
}
