import type { FigureView } from '../../ipc/gen/types';

type Format = 'csv' | 'markdown' | 'latex';

/** A cell on the screen: a number with six digits that count; files and copies have them all. */
export function shown(cell: string | null, numeric: boolean | undefined): string {
  const value = Number(cell);
  if (cell === null) return '–';
  return numeric && Number.isFinite(value) && cell.length > 8 ? String(Number(value.toPrecision(6))) : cell;
}

/** The figure's numbers as text, with every digit; papers and pages get the caption too. */
export function tableText({ table, title, caption, settings }: FigureView, format: Format): string {
  const note = `${title}. ${caption.join(' ')}`;
  const rows = table.rows.map((row) => row.map((cell) => cell ?? ''));
  switch (format) {
    case 'csv': {
      const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      // No place for a caption: what is not as usual stands in each row, as in files.
      const body = [table.columns, ...rows];
      const lines = settings === undefined ? body : body.map((row, at) => [...row, at === 0 ? 'settings' : settings]);
      return `${lines.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
    }
    case 'markdown': {
      const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');
      const line = (row: readonly string[]) => `| ${row.map(escaped).join(' | ')} |`;
      const rule = `|${table.numeric.map((number) => (number ? ' ---: ' : ' --- ')).join('|')}|`;
      return `${[line(table.columns), rule, ...rows.map(line)].join('\n')}\n\n${note}\n`;
    }
    case 'latex': {
      const escaped = (text: string) =>
        text
          .replaceAll('\\', '\\textbackslash ')
          .replaceAll('~', '\\textasciitilde ')
          .replaceAll('^', '\\textasciicircum ')
          .replace(/[&%$#_{}]/g, '\\$&')
          .replaceAll('×', '$\\times$')
          .replaceAll('<', '$<$')
          .replaceAll('>', '$>$');
      const line = (row: readonly string[]) => `  ${row.map(escaped).join(' & ')} \\\\`;
      const columns = table.numeric.map((number) => (number ? 'r' : 'l')).join('');
      return [
        `% ${note}`,
        `\\begin{tabular}{${columns}}`,
        '  \\toprule',
        line(table.columns),
        '  \\midrule',
        ...rows.map(line),
        '  \\bottomrule',
        '\\end{tabular}',
        '',
      ].join('\n');
    }
  }
}
