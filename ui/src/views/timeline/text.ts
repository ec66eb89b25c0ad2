// Lines of text on lanes, for tooltips and for the announcements of the keyboard.
import { clock, span } from '../../format';
import type { Found, FoundBin } from './find';
import type { Group, Row } from './layout';

/** Name of a lane: its client, and its timer unless it is the recorded lane. */
export function laneName(groups: readonly Group[], row: Row): string {
  const client = groups.find((group) => group.association.id === row.lane)?.association.client_name ?? '';
  return row.run === null ? client : `${client}, ${row.name}`;
}

/** Lines on an exchange: lane and time, copies, end. `decimals`: of a second. */
export function exchangeText(lane: string, found: Found, decimals: number): string[] {
  const needless = found.needless > 0 ? `, ${found.needless} needless` : '';
  return [
    `${lane}, ${clock(found.t0, decimals)}`,
    `${found.copies === 1 ? '1 copy' : `${found.copies} copies`}${needless}`,
    found.closed === null ? 'no closing reply here' : `closed after ${span(found.closed - found.t0)}`,
  ];
}

/** Lines on a column: lane and time, copies, fates. `decimals`: of a second. */
export function binText(lane: string, bin: FoundBin, decimals: number): string[] {
  const fates = [
    bin.lost > 0 ? `${bin.lost} lost` : '',
    bin.unknown > 0 ? `${bin.unknown} of unknown fate` : '',
  ].filter((text) => text !== '');
  return [
    `${lane}, ${clock(bin.t0, decimals)} to ${clock(bin.t1, decimals)}`,
    `${bin.up} not needless, ${bin.down} needless`,
    ...(fates.length > 0 ? [fates.join(', ')] : []),
    'zoom in for single copies',
  ];
}
