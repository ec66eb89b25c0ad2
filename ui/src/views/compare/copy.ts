import { shownUnit } from '../../format';
import type { MetricSpec, ReplayView, RunView } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';

export interface CopyRow {
  name: string;
  id: string;
  run: RunView;
}

/** The comparison as a table: twelve digits, units in the header. */
export function comparisonTable(
  metrics: readonly MetricSpec[],
  rows: readonly CopyRow[],
  replay: ReplayView,
  note: string,
): TextTable {
  const number = (value: number | null | undefined, factor: number) =>
    value === null || value === undefined || !Number.isFinite(value)
      ? null
      : String(Number((value * factor).toPrecision(12)));
  const columns = [
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
    return [number(value, shownUnit(spec.unit).factor), null, null, null, null];
  });
  return {
    columns,
    numeric: columns.map((_, at) => at > 1),
    note,
    ...(replay.settings !== undefined && { settings: replay.settings }),
    rows: [
      ['Recorded', null, '100', ...recorded],
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
