import { shownUnit } from '../../format';
import type { MetricSpec, ReplayView, RunView } from '../../ipc/gen/types';

export type CopyFormat = 'markdown' | 'latex' | 'csv';

export interface CopyRow {
  name: string;
  id: string;
  run: RunView;
}

interface Cells {
  head: string[];
  rows: string[][];
}

/** Full precision, unit in the header (DESIGN §7). */
function cells(metrics: readonly MetricSpec[], rows: readonly CopyRow[], replay: ReplayView): Cells {
  const number = (value: number | null | undefined, factor: number) =>
    value === null || value === undefined || !Number.isFinite(value)
      ? ''
      : String(Number((value * factor).toPrecision(12)));
  const head = [
    'algorithm',
    'preset',
    'support [%]',
    ...metrics.flatMap((spec) => {
      const { unit } = shownUnit(spec.unit);
      const name = `${spec.label}, ${spec.rule}${unit ? ` [${unit}]` : ''}`;
      return [name, `${name} lo90`, `${name} hi90`, `${name} best`, `${name} worst`];
    }),
  ];
  const recorded = metrics.flatMap((spec) => {
    const value = replay.runs[0]?.metrics[spec.name]?.recorded;
    return [number(value, shownUnit(spec.unit).factor), '', '', '', ''];
  });
  return {
    head,
    rows: [
      ['Recorded', '', '100', ...recorded],
      ...rows.map(({ name, id, run }) => [
        name,
        id,
        number(run.support, 100),
        ...metrics.flatMap((spec) => {
          const metric = run.metrics[spec.name];
          const { factor } = shownUnit(spec.unit);
          return [metric?.mean, metric?.lo90, metric?.hi90, metric?.best, metric?.worst].map((value) =>
            number(value, factor),
          );
        }),
      ]),
    ],
  };
}

/** The comparison as text for a paper, a page or a program. */
export function copyText(
  format: CopyFormat,
  metrics: readonly MetricSpec[],
  rows: readonly CopyRow[],
  replay: ReplayView,
  note: string,
): string {
  const { head, rows: body } = cells(metrics, rows, replay);
  switch (format) {
    case 'csv': {
      const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      // No place for a note: what is not as usual stands in each row, as in files.
      const { settings } = replay;
      const all = [head, ...body];
      const lines = settings === undefined ? all : all.map((row, at) => [...row, at === 0 ? 'settings' : settings]);
      return `${lines.map((row) => row.map(quote).join(',')).join('\n')}\n`;
    }
    case 'markdown': {
      const escape = (text: string) => text.replaceAll('|', '\\|');
      const line = (row: readonly string[]) => `| ${row.map(escape).join(' | ')} |`;
      const rule = `|${head.map((_, index) => (index < 2 ? ' --- ' : ' ---: ')).join('|')}|`;
      return `${[line(head), rule, ...body.map(line)].join('\n')}\n\n${note}\n`;
    }
    case 'latex': {
      const escape = (text: string) =>
        text
          .replace(/[&%$#_{}]/g, '\\$&')
          .replaceAll('×', '$\\times$')
          .replaceAll('<', '$<$');
      const line = (row: readonly string[]) => `  ${row.map(escape).join(' & ')} \\\\`;
      return [
        `% ${note}`,
        `\\begin{tabular}{ll${'r'.repeat(head.length - 2)}}`,
        '  \\toprule',
        line(head),
        '  \\midrule',
        ...body.map(line),
        '  \\bottomrule',
        '\\end{tabular}',
        '',
      ].join('\n');
    }
  }
}
