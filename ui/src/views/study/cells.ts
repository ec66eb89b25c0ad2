// Geometry and words of the grid of a study: values come from the core.
import { fixed, plain, plural, shownUnit, span } from '../../format';
import type { StudyCellView, StudyGridView, StudyScenarioView } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';
import { valueScale, type ValueScale } from '../../plot/scale';
import { valueTicks } from '../../plot/ticks';

/** Distance between the edge of a cell and the outermost mark, px. */
const EDGE = 6;
/** Room beyond the outermost values of a logarithmic axis, as a ratio. */
const ROOM = 1.12;

/**
 * Ratio of the least value to the lowest end of an interval that a logarithmic axis shows. Chosen here: a decade beside
 * the values.
 */
const REACH = 10;

/** The axis that all cells of a row share. */
export interface RowAxis {
  x: ValueScale;
  ticks: readonly number[];
  low: number;
  high: number;
  /** False where a value is zero, which no logarithm shows. */
  logarithmic: boolean;
}

const finite = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** The axis of a row whose plots are `width` px wide; null without values. */
export function rowAxis({ recorded, cells }: StudyScenarioView, width: number): RowAxis | null {
  const points = [recorded, ...cells.flatMap(({ mean, real }) => [mean, ...real.map(({ value }) => value)])].filter(
    finite,
  );
  if (points.length === 0) return null;
  const all = points.concat(cells.flatMap(({ interval }) => interval ?? []).filter(finite));
  const logarithmic = Math.min(...points) > 0;
  // Student's interval of two runs may reach below zero: on a logarithmic axis it ends at the edge.
  const least = logarithmic ? Math.max(Math.min(...all), Math.min(...points) / REACH) : Math.min(0, ...all);
  const most = Math.max(...all);
  const low = logarithmic ? least / ROOM : least;
  const high = logarithmic ? most * ROOM : most > low ? most * 1.05 : low + 1;
  const ticks = valueTicks(low, high, logarithmic, 4);
  return { x: valueScale([low, high], [EDGE, width - EDGE], logarithmic), ticks, low, high, logarithmic };
}

/** A value with its unit: `933 ms`, `12.4 %`. */
export function valueText(value: number | null | undefined, unit: string): string {
  if (!finite(value)) return '–';
  if (unit === 's') return span(value * 1e9);
  const shown = shownUnit(unit);
  return `${plain(value * shown.factor)}${shown.unit ? `\u00a0${shown.unit}` : ''}`;
}

/** Both ends of an interval. */
export function intervalText([low, high]: readonly [number, number], unit: string): string {
  return `${valueText(low, unit)} – ${valueText(high, unit)}`;
}

/** The word in place of the value of a cell; empty where it has one. */
export function withoutValue({ mean, waiting, failed, state }: StudyCellView): string {
  if (finite(mean)) return '';
  if (failed > 0) return state;
  return waiting > 0 ? 'waiting' : 'no value';
}

/** A cell in words, for its name and for the line below the grid. */
export function cellText(cell: StudyCellView, unit: string): string {
  const parts: string[] = [];
  if (finite(cell.mean)) parts.push(valueText(cell.mean, unit));
  else parts.push(withoutValue(cell));
  if (cell.interval) parts.push(`90\u00a0% ${intervalText(cell.interval, unit)} (${kindText(cell)})`);
  if (cell.two_modes > 0) parts.push(`${plural(cell.two_modes, 'row')} with two modes`);
  if (cell.real.length > 0)
    parts.push(
      `real ${cell.real.length === 1 ? 'run' : 'runs'} ${cell.real.map(({ value }) => valueText(value, unit)).join(', ')}`,
    );
  if (cell.waiting > 0) parts.push(`${plural(cell.waiting, 'task')} waiting`);
  if (cell.failed > 0) parts.push(`${plural(cell.failed, 'row')} ${cell.state}: ${cell.reason}`);
  return parts.join('; ');
}

function kindText({ kind, runs }: StudyCellView): string {
  return kind === 'student' || kind === 'bootstrap'
    ? `${kind === 'student' ? 'Student' : 'bootstrap'} over ${plural(runs, 'run')}`
    : kind;
}

/** Names of the columns that a scenario's best are: `CoCoA`, or `CoCoA or 2 more`. */
export function bestText({ best, wins }: StudyScenarioView, names: readonly string[]): string {
  const [first, ...others] = best;
  if (first === undefined) return '–';
  const name = names[first] ?? '';
  return wins || others.length === 0 ? name : `${name} or ${String(others.length)} more`;
}

/** The numbers of the grid, a row a cell, with every digit. */
export function gridTable(grid: StudyGridView): TextTable {
  const { factor, unit } = shownUnit(grid.measure.unit);
  const digits = (value: number | null | undefined) => (finite(value) ? String(value * factor) : '');
  const columns = [
    'scenario',
    'timer',
    'runs',
    'mean',
    'lo',
    'hi',
    'interval',
    'letters',
    'real',
    'recorded',
    'state',
    'reason',
  ];
  const numeric = columns.map((name) => ['runs', 'mean', 'lo', 'hi', 'recorded'].includes(name));
  const rows = grid.scenarios.flatMap((scenario) =>
    scenario.cells.map((cell, at) => [
      scenario.name,
      grid.timers[at]?.label ?? '',
      String(cell.runs),
      digits(cell.mean),
      digits(cell.interval?.[0]),
      digits(cell.interval?.[1]),
      cell.kind,
      cell.letters ?? '',
      cell.real.map(({ value }) => digits(value)).join(' '),
      digits(scenario.recorded),
      finite(cell.mean) ? 'done' : withoutValue(cell),
      cell.reason,
    ]),
  );
  const answered = grid.from ? `; captures recorded under ${grid.from} answer` : '';
  const note = `${grid.name || 'Study'}: ${grid.measure.label}, ${grid.measure.rule}${unit ? `, ${unit}` : ''}; channel ${grid.channel}${answered}.`;
  return { columns, numeric, rows, note };
}

/** Time left as `37 s left`, `2 min left`, from seconds; empty where it is not known. */
export function leftText(seconds: number | null): string {
  return seconds === null ? '' : `${span(Math.max(1, Math.round(seconds)) * 1e9).replace(/\.\d+/, '')} left`;
}

/** Rate of tasks as `3.1 a second`; empty before there is one. */
export function rateText(rate: number): string {
  return rate > 0 ? `${fixed(rate, rate < 10 ? 1 : 0)} a second` : '';
}
