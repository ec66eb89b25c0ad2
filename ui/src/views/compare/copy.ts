import { fixed, shownUnit } from '../../format';
import type { MetricSpec, MetricView, ReplayView, RunView } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';

/** Row of the copied table: a timer that was replayed. */
export interface CopyRow {
  /** Name of the timer, and id of its preset. */
  name: string;
  id: string;
  /** Run of that timer, in units of the core. */
  run: RunView;
}

/** Numbers that a mode has as well as a whole run. */
type Estimated = Pick<MetricView, 'mean' | 'lo90' | 'hi90'>;

/**
 * Lines of one run: title, and the numbers to take of a measure. One line, or one for each of two modes with its share.
 */
function waysOf(name: string, run: RunView): (readonly [string, (metric?: MetricView) => Estimated | undefined])[] {
  if (!run.modes) return [[name, (metric) => metric]];
  const share = (part: number) => `${fixed(100 * part, 0)} % of replicates`;
  return [
    [`${name}, ${share(1 - run.modes.slow)}`, (metric) => metric?.modes?.[0]],
    [`${name}, ${share(run.modes.slow)} (collapse)`, (metric) => metric?.modes?.[1]],
  ];
}

/**
 * The comparison as a table for the clipboard: numbers with twelve significant digits in shown units, units in the
 * headings, support in per cent. `note`: capture and settings.
 */
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
    const metric = replay.runs[0]?.metrics[spec.name];
    const { factor } = shownUnit(spec.unit);
    const [low, high] = metric?.recorded_range ?? [];
    const [best, worst] = spec.smaller_is_better ? [low, high] : [high, low];
    return [number(metric?.recorded, factor), null, null, number(best, factor), number(worst, factor)];
  });
  return {
    columns,
    numeric: columns.map((_, at) => at > 1),
    note,
    ...(replay.settings !== undefined && { settings: replay.settings }),
    rows: [
      ['Recorded', null, '100', ...recorded],
      ...rows.flatMap(({ name, id, run }) =>
        waysOf(name, run).map(([title, of]) => [
          title,
          id,
          number(run.support, 100),
          ...metrics.flatMap((spec) => {
            const metric = run.metrics[spec.name];
            const { factor } = shownUnit(spec.unit);
            const { mean, lo90, hi90 } = of(metric) ?? {};
            return [mean, lo90, hi90, metric?.best, metric?.worst].map((value) => number(value, factor));
          }),
        ]),
      ),
    ],
  };
}
