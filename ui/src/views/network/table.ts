// Table of links: its columns on the screen and for the clipboard.
import { count, fixed } from '../../format';
import type { TextTable } from '../../parts/table/tabletext';
import type { NetworkLink, NetworkView } from '../../ipc/gen/types';
import { carried, type Load } from './graph';

/** Column of the table of links; `id` is the position of a link. */
export interface LinkColumn {
  /** Name of the column, for sorting. */
  key: string;
  /** Heading, and its tooltip. */
  label: string;
  title: string;
  /** Value that rows are sorted by; NaN last. */
  value: (id: number) => number;
  /** Text of a cell; `–` where the value is not known. */
  text: (id: number) => string;
  /** Whether it is measured in the window that is summed up; else in the whole capture. */
  now?: boolean;
}

/** A share, 0 to 1, in per cent; NaN where it is not known. */
const percent = (share: number | null | undefined) => (share === null || share === undefined ? NaN : share * 100);
/** Seconds in milliseconds; NaN where they are not known. */
const millis = (seconds: number | null) => (seconds === null ? NaN : seconds * 1e3);
/** Milliseconds as text, one decimal below 10. */
const ms = (value: number) => (Number.isNaN(value) ? '–' : fixed(value, value < 10 ? 1 : 0));

/** Columns for `view`, those that `load` fills first; off 802.15.4 only frames and needless copies. */
export function columns(view: NetworkView, load: Load | undefined): LinkColumn[] {
  const link = (id: number): NetworkLink | undefined => view.links[id];
  const now = (id: number) => carried(load, id);
  const lostNow = (id: number) => {
    const sums = now(id);
    return sums && sums.judged > 0 ? (100 * sums.lost) / sums.judged : NaN;
  };
  const wireless = view.channels.length > 0;
  const all: LinkColumn[] = [
    {
      key: 'frames',
      label: wireless ? 'frames' : 'messages',
      title: wireless ? 'Frames in the window, retries included' : 'CoAP messages in the window',
      now: true,
      value: (id) => now(id)?.frames ?? NaN,
      text: (id) => count(now(id)?.frames ?? NaN),
    },
    {
      key: 'lost',
      label: 'lost %',
      title: 'Frames lost in the window, of those of which it is known',
      now: true,
      value: lostNow,
      text: (id) => fixed(lostNow(id), 0),
    },
    {
      key: 'delay',
      label: 'delay ms',
      title: 'Delay in the window: first attempt to arrival, mean',
      now: true,
      value: (id) => (now(id)?.delay ?? NaN) * 1e3,
      text: (id) => ms((now(id)?.delay ?? NaN) * 1e3),
    },
    {
      key: 'loss',
      label: 'lost %',
      title: 'Frames lost in the whole capture, with the 95 % score interval',
      value: (id) => percent(link(id)?.lost.value),
      text: (id) => fixed(percent(link(id)?.lost.value), 1),
    },
    {
      key: 'attempts',
      label: 'tries',
      title: 'Attempts for one delivery (as ETX, counted on the data)',
      value: (id) => link(id)?.attempts ?? NaN,
      text: (id) => fixed(link(id)?.attempts, 2),
    },
    {
      key: 'delay_p50',
      label: 'p50 ms',
      title: 'Delay: first attempt to arrival, median',
      value: (id) => millis(link(id)?.delay_p50 ?? null),
      text: (id) => ms(millis(link(id)?.delay_p50 ?? null)),
    },
    {
      key: 'delay_p95',
      label: 'p95 ms',
      title: 'Delay: first attempt to arrival, 95th percentile',
      value: (id) => millis(link(id)?.delay_p95 ?? null),
      text: (id) => ms(millis(link(id)?.delay_p95 ?? null)),
    },
    {
      key: 'copies',
      label: 'needless',
      title: 'Needless copies of requests, of all copies that it carried',
      value: (id) => link(id)?.needless ?? NaN,
      text: (id) => {
        const of = link(id);
        return of && of.copies > 0 ? `${count(of.needless)} / ${count(of.copies)}` : '–';
      },
    },
  ];
  // Off 802.15.4 neither loss nor delay of a link is known.
  return wireless ? all : all.filter(({ key }) => key === 'frames' || key === 'copies');
}

/** Positions of links ordered by a column, unknown values last; equal ones, and all without a column, as in `view`. */
export function sorted(view: NetworkView, column: LinkColumn | undefined, descending: boolean): number[] {
  const ids = view.links.map((_, id) => id);
  if (!column) return ids;
  const key = (id: number) => column.value(id);
  return ids.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return (descending ? y - x : x - y) || a - b;
  });
}

/** Evidence for the loss of a link in words. */
export function evidence(link: NetworkLink): string {
  return { log: 'the simulator’s log', acks: 'missing acknowledgements: an upper bound', unknown: 'nothing' }[
    link.evidence
  ];
}

/** Headings of the copied table. */
const HEAD = [
  'from',
  'to',
  'frames',
  'unique',
  'acked',
  'lost',
  'judged',
  'lost_lo95',
  'lost_hi95',
  'lost_by',
  'attempts',
  'delay_p50_s',
  'delay_p95_s',
  'airtime_s',
  'messages',
  'copies',
  'needless',
];

/**
 * Links of the whole capture as a table for the clipboard: numbers with twelve significant digits, shares 0 to 1, times
 * in s.
 */
export function linkTable(view: NetworkView): TextTable {
  const name = (id: number) => view.nodes[id]?.name ?? '';
  const number = (value: number | null) => (value === null ? null : String(Number(value.toPrecision(12))));
  const rows = view.links.map((link) => [
    name(link.from),
    name(link.to),
    String(link.frames),
    String(link.unique),
    number(link.acked.value),
    String(link.lost.hits),
    String(link.lost.trials),
    number(link.lost.lo95),
    number(link.lost.hi95),
    link.evidence,
    number(link.attempts),
    number(link.delay_p50),
    number(link.delay_p95),
    number(link.airtime),
    String(link.messages),
    String(link.copies),
    String(link.needless),
  ]);
  return { columns: HEAD, numeric: HEAD.map((name, at) => at > 1 && name !== 'lost_by'), rows };
}
