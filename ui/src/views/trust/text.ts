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

export function checkText({ recorded, mean, lo90, hi90, unit }: TrustCheckView): CheckText {
  const { factor, unit: shown } = shownUnit(unit);
  const [low, high] = [lo90 * factor, hi90 * factor];
  const decimals = decimalsFor([[low, high]]);
  return {
    recorded: fixed(recorded * factor, decimals),
    interval: range(low, high, decimals),
    mean: fixed(mean * factor, decimals),
    unit: shown,
  };
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

/** `7 of 8 measures inside the twin’s 90 % intervals, 1 near`. */
export function agreementWords(checks: readonly TrustCheckView[]): string {
  const many = (kind: AgreementKind) => checks.filter(({ agreement }) => agreement === kind).length;
  const others = (['near', 'outside'] as const).flatMap((kind) => (many(kind) > 0 ? [`${many(kind)} ${kind}`] : []));
  return [`${many('inside')} of ${checks.length} measures inside the twin’s 90\u00a0% intervals`, ...others].join(', ');
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
