// Words and numbers of the panel Trust.
import { count, decimalsFor, fixed, plain, range, shownUnit } from '../../format';
import type {
  AgreementKind,
  GateKindView,
  GateView,
  HalvesView,
  KnownKind,
  ParameterView,
  ShareCheckView,
  TrustCheckView,
  TrustKind,
  TrustView,
} from '../../ipc/gen/types';
import type { IconName } from '../../parts/Icon.svelte';
import type { Nodes } from '../../state/capture/nodes.svelte';
import type { TextTable } from '../../parts/table/tabletext';

/** Word, icon and meaning of each verdict on a check. */
export const AGREEMENTS: Readonly<Record<AgreementKind, { word: string; icon: IconName; about: string }>> = {
  inside: { word: 'inside', icon: 'check', about: 'The recorded value is inside the twin’s 90 % interval' },
  near: { word: 'near', icon: 'info', about: 'The recorded value is outside the twin’s 90 % interval, and near it' },
  outside: { word: 'outside', icon: 'warn', about: 'The recorded value is far outside the twin’s 90 % interval' },
};

/** Meaning of each source of parameters, from the surest to the least sure. */
export const KNOWN: Readonly<Record<KnownKind, string>> = {
  read: 'it stands in the capture',
  computed: 'it follows from what stands in the capture',
  inferred: 'it is estimated, with a 90 % interval',
  preset: 'the capture does not show it: a value of known stacks',
};
/** Sources of parameters in that order. */
export const KNOWN_KINDS = Object.keys(KNOWN) as KnownKind[];

/** Numbers of a check as text in the shown unit, with decimals that tell the ends of its interval apart. */
export interface CheckText {
  /** Recorded value of the measure. */
  recorded: string;
  /** 90 % interval of the twin. */
  interval: string;
  /** Mean of the twin. */
  mean: string;
  /** Shown unit; empty where the name of the check says it. */
  unit: string;
}

/** Numbers of a check as text. */
export function checkText({ label, recorded, mean, lo90, hi90, unit }: TrustCheckView): CheckText {
  const { factor, unit: shown } = shownUnit(unit);
  const [low, high] = [lo90 * factor, hi90 * factor];
  const decimals = decimalsOf(recorded * factor, low, high, unit);
  return {
    recorded: fixed(recorded * factor, decimals),
    interval: range(low, high, decimals),
    mean: fixed(mean * factor, decimals),
    // A unit that the label names is not repeated.
    unit: ` ${label} `.includes(` ${shown} `) ? '' : shown,
  };
}

/** Decimals, at most 3, that tell the recorded value from the ends of the interval; at least one for seconds. */
function decimalsOf(recorded: number, low: number, high: number, unit: string): number {
  let decimals = Math.max(unit === 's' ? 1 : 0, decimalsFor([[low, high]]));
  const alike = (end: number) => end !== recorded && fixed(end, decimals) === fixed(recorded, decimals);
  while (decimals < 3 && (alike(low) || alike(high))) decimals += 1;
  return decimals;
}

/** Name of a parameter for people: `Max attempts` for `max-attempts`. */
export function parameterName(name: string): string {
  const words = name.replaceAll('-', ' ').replaceAll('back off', 'back-off');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Value of a parameter with its unit and, where it is uncertain, its range: `0.900 (0.895 – 0.906)`, `19 slots`. */
export function parameterValue({ value, lo, hi, unit }: ParameterView): string {
  const suffix = unit ? `\u00a0${unit}` : '';
  if (lo === hi) return `${Number.isInteger(value) ? count(value) : plain(value)}${suffix}`;
  const decimals = decimalsFor([[lo, hi]]);
  return `${fixed(value, decimals)}${suffix} (${range(lo, hi, decimals)})`;
}

/** Measures that are not inside their intervals, in words: `Outside: needless copies. Near: copies answered.` */
export function exceptionWords(checks: readonly TrustCheckView[]): string {
  const named = (['outside', 'near'] as const).flatMap((kind) => {
    const labels = checks.filter(({ agreement }) => agreement === kind).map(({ label }) => label);
    return labels.length > 0 ? [`${kind === 'near' ? 'Near' : 'Outside'}: ${labels.join(', ')}.`] : [];
  });
  return named.length > 0 ? named.join(' ') : 'Every measure is inside.';
}

/** Returns `view` with the names that the reader gave to nodes. */
export function namedTrust(view: TrustView, nodes: Pick<Nodes, 'nameOf' | 'say'>): TrustView {
  return {
    ...view,
    why: nodes.say(view.why),
    links: view.links.map((link) => ({ ...link, from: nodes.nameOf(link.from), to: nodes.nameOf(link.to) })),
    forwarding: view.forwarding.map((share) => ({ ...share, subject: nodes.nameOf(share.subject) })),
  };
}

/** Every check and share as a table for the clipboard: twelve significant digits, units of the core, shares 0 to 1. */
export function checksTable(view: TrustView, capture: string, halves?: HalvesView): TextTable {
  const columns = [
    'gate',
    'subject',
    'unit',
    'observations',
    'recorded',
    'twin mean',
    'twin lo90',
    'twin hi90',
    'verdict',
  ];
  const digits = (value: number) => String(Number(value.toPrecision(12)));
  const checks = (gate: string, all: readonly TrustCheckView[]) =>
    all.map(({ label, unit, recorded, mean, lo90, hi90, agreement }) => [
      ...[gate, label, unit, ''],
      ...[recorded, mean, lo90, hi90].map(digits),
      AGREEMENTS[agreement].word,
    ]);
  const shares = (gate: string, of: string, all: readonly ShareCheckView[]) =>
    all.map(({ subject, observations, recorded, mean, lo90, hi90, agreement }) => [
      ...[gate, `${of}${subject || 'others'}`, 'fraction', String(observations)],
      ...[recorded, mean, lo90, hi90].map(digits),
      AGREEMENTS[agreement].word,
    ]);
  return {
    columns,
    numeric: columns.map((_, at) => at > 2 && at < 8),
    note: `${capture}: ${view.why}`,
    rows: [
      ...checks('measure', view.checks),
      ...view.links.flatMap(({ from, to, patterns }) => shares('patterns', `${from} to ${to}: `, patterns)),
      ...shares('senders', '', view.senders),
      ...shares('forwarding', '', view.forwarding),
      ...checks('halves', halves?.checks ?? []),
    ],
  };
}

/** Question of each gate, for its tooltip. */
export const GATES: Readonly<Record<GateKindView, string>> = {
  self_replay: 'The recorded timer through the twin, with its workload drawn anew',
  open_loop: 'The recorded copies, sent again when they were recorded: no timer takes part',
  patterns: 'Which attempts of each packet were acknowledged, on each link; nothing was fitted to it',
  senders:
    'Cells with one, two, three senders, or frames that start while others are on the air; nothing was fitted to it',
  forwarding: 'Packets that each node passes on, of those that it got to pass on; nothing was fitted to it',
  halves: 'The second half of the capture by a twin of the first half. It closes nothing: the twin in use knows both',
};

/** Name of a gate, and the share of observations that the twin places elsewhere; empty where none are placed. */
export function gateWords({ label, misplaced, misplaced_by_chance }: GateView): { name: string; elsewhere: string } {
  const percent = (share: number) => `${fixed(share * 100, 1)}\u00a0%`;
  return {
    name: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
    elsewhere:
      misplaced === null || misplaced_by_chance === null
        ? ''
        : `${percent(misplaced)} elsewhere, ${percent(misplaced_by_chance)} by chance`,
  };
}

/** Row of a table: a recorded value beside the interval of the twin. */
export interface Agreeing {
  /** Name of the measure, or subject of the share. */
  key: string;
  name: string;
  /** Numbers as text; `mean` null: none is shown. */
  text: Pick<CheckText, 'recorded' | 'interval' | 'unit'> & { mean: string | null };
  /** Recorded value and ends of the interval, in the unit of the core. */
  recorded: number;
  lo90: number;
  hi90: number;
  agreement: AgreementKind;
}

/** Rows of checks for a list, one for each measure. */
export const checkRows = (checks: readonly TrustCheckView[]): Agreeing[] =>
  checks.map((check) => ({
    ...check,
    key: check.measure,
    name: check.label.charAt(0).toUpperCase() + check.label.slice(1),
    text: checkText(check),
  }));

/** Rows of shares, their text in per cent; `name`: words for a subject. */
export const shareRows = (shares: readonly ShareCheckView[], name = (subject: string) => subject): Agreeing[] =>
  shares.map((share) => ({
    ...share,
    key: share.subject,
    name: name(share.subject),
    text: { ...shareText(share), unit: '%', mean: null },
  }));

/** Numbers of a share as text in per cent, with decimals that tell the ends of its interval apart. */
export function shareText({ recorded, lo90, hi90 }: ShareCheckView): Pick<CheckText, 'recorded' | 'interval'> {
  const [at, low, high] = [recorded * 100, lo90 * 100, hi90 * 100];
  const decimals = decimalsOf(at, low, high, '%');
  return { recorded: fixed(at, decimals), interval: range(low, high, decimals) };
}

/** Number of senders at once in words: `one`, `four or more`. */
export function sendersWords(subject: string): string {
  return { '1': 'one', '2': 'two', '3': 'three', '4': 'four or more' }[subject] ?? subject;
}

/** Levels of trust in a channel that the capture chose: number of filled blocks, of 3, and meaning. */
export const TRUSTS: Readonly<Record<TrustKind, { blocks: number; about: string }>> = {
  high: {
    blocks: 3,
    about: 'Asked about its own capture, the network twin has each recorded measure inside its 90 % interval',
  },
  medium: {
    blocks: 2,
    about: 'The network twin is only near some recorded measure, or there is none that could be used',
  },
  low: { blocks: 1, about: 'Most copies of some timer rest on what the channel assumes' },
};
