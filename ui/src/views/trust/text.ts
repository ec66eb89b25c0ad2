// Words and numbers of the Trust panel.
import { count, decimalsFor, fixed, plain, range, shownUnit } from '../../format';
import type { AgreementKind, KnownKind, ParameterView, TrustCheckView, TrustView } from '../../ipc/gen/types';
import type { IconName } from '../../parts/Icon.svelte';
import type { TextTable } from '../../parts/table/tabletext';

/** Verdict of a check: its word and the shape beside it. */
export const AGREEMENTS: Readonly<Record<AgreementKind, { word: string; icon: IconName; about: string }>> = {
  inside: { word: 'inside', icon: 'check', about: 'The recorded value is inside the twin’s 90 % interval' },
  near: { word: 'near', icon: 'info', about: 'The recorded value is outside the twin’s 90 % interval, and near it' },
  outside: { word: 'outside', icon: 'warn', about: 'The recorded value is far outside the twin’s 90 % interval' },
};

/** Sources of parameters, from the surest to the least sure. */
export const KNOWN: Readonly<Record<KnownKind, string>> = {
  read: 'it stands in the capture',
  computed: 'it follows from what stands in the capture',
  inferred: 'it is estimated, with a 90 % interval',
  preset: 'the capture does not show it: a value of known stacks',
};
export const KNOWN_KINDS = Object.keys(KNOWN) as KnownKind[];

/** Numbers of a check in shown units, with decimals that tell its interval apart. */
export interface CheckText {
  recorded: string;
  interval: string;
  mean: string;
  unit: string;
}

export function checkText({ label, recorded, mean, lo90, hi90, unit }: TrustCheckView): CheckText {
  const { factor, unit: shown } = shownUnit(unit);
  const [low, high] = [lo90 * factor, hi90 * factor];
  const decimals = decimalsOf(recorded * factor, low, high, unit);
  return {
    recorded: fixed(recorded * factor, decimals),
    interval: range(low, high, decimals),
    mean: fixed(mean * factor, decimals),
    // Not said twice.
    unit: ` ${label} `.includes(` ${shown} `) ? '' : shown,
  };
}

/** As many as tell the recorded value from an end of the interval that it does not equal; seconds have one at least. */
function decimalsOf(recorded: number, low: number, high: number, unit: string): number {
  let decimals = Math.max(unit === 's' ? 1 : 0, decimalsFor([[low, high]]));
  const alike = (end: number) => end !== recorded && fixed(end, decimals) === fixed(recorded, decimals);
  while (decimals < 3 && (alike(low) || alike(high))) decimals += 1;
  return decimals;
}

/** `Max attempts` of `max-attempts`. */
export function parameterName(name: string): string {
  const words = name.replaceAll('-', ' ').replaceAll('back off', 'back-off');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `0.900 (0.895 – 0.906)`, `19 slots`. */
export function parameterValue({ value, lo, hi, unit }: ParameterView): string {
  const suffix = unit ? `\u00a0${unit}` : '';
  if (lo === hi) return `${Number.isInteger(value) ? count(value) : plain(value)}${suffix}`;
  const decimals = decimalsFor([[lo, hi]]);
  return `${fixed(value, decimals)}${suffix} (${range(lo, hi, decimals)})`;
}

/** `Outside: needless copies. Near: copies answered.` */
export function exceptionWords(checks: readonly TrustCheckView[]): string {
  const named = (['outside', 'near'] as const).flatMap((kind) => {
    const labels = checks.filter(({ agreement }) => agreement === kind).map(({ label }) => label);
    return labels.length > 0 ? [`${kind === 'near' ? 'Near' : 'Outside'}: ${labels.join(', ')}.`] : [];
  });
  return named.length > 0 ? named.join(' ') : 'Every measure is inside.';
}

/** The checks as a table for the clipboard. */
export function checksTable({ checks, why }: TrustView, capture: string): TextTable {
  const columns = ['measure', 'unit', 'recorded', 'twin mean', 'twin lo90', 'twin hi90', 'verdict'];
  const digits = (value: number) => String(Number(value.toPrecision(12)));
  return {
    columns,
    numeric: columns.map((_, at) => at > 1 && at < 6),
    note: `${capture}: ${why}`,
    rows: checks.map(({ label, unit, recorded, mean, lo90, hi90, agreement }) => [
      label,
      unit,
      ...[recorded, mean, lo90, hi90].map(digits),
      AGREEMENTS[agreement].word,
    ]),
  };
}

/** A group of checks that tests one thing. */
export interface Gate {
  name: string;
  /** The assumption that it tests. */
  about: string;
  /** Measures inside the twin's 90 % intervals. */
  inside: number;
  /** All its measures. */
  many: number;
}

/** Measures of the open loop: no timer takes part. */
const OPEN_LOOP: ReadonlySet<string> = new Set(['copies_answered', 'frames']);

/** The gates of a self-replay, each with how many of its measures are inside the twin's intervals. */
export function gatesOf(checks: readonly TrustCheckView[]): Gate[] {
  const gate = (name: string, about: string, own: readonly TrustCheckView[]): Gate => ({
    ...{ name, about, many: own.length },
    inside: own.filter(({ agreement }) => agreement === 'inside').length,
  });
  const open = checks.filter(({ measure }) => OPEN_LOOP.has(measure));
  const closed = checks.filter(({ measure }) => !OPEN_LOOP.has(measure));
  const gates = [
    gate('Self-replay', 'The recorded timer through the twin, with its workload drawn anew', closed),
    gate('Open loop', 'The recorded copies, sent again when they were recorded: no timer takes part', open),
  ];
  return gates.filter(({ many }) => many > 0);
}
