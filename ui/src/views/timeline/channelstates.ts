// Paths and numbers of the chart of channel states.
import { fixed } from '../../format';
import type { EstimateView, PathStatesView, ChannelStateSeries } from '../../ipc/gen/types';
import type { TimeScale } from '../../plot/scale';

/**
 * Bad periods below which their mean length is not judged: `LEAST_STAYS` of the core, whose reason stands in
 * api/src/commands/replayed/channel_states.rs.
 */
const MIN_BAD_PERIODS = 5;

/** Whether two states were fitted to a path, although fewer than `MIN_BAD_PERIODS` bad periods were seen. */
export const hasTooFewBadPeriods = ({ verdict, seen }: Pick<PathStatesView, 'verdict' | 'seen'>): boolean =>
  verdict === 'two_states' && seen !== null && seen < MIN_BAD_PERIODS;

/**
 * An estimate times `scale`, with its standard error where the copies bound it: `12.0 ± 3.0 %`; `–` without an
 * estimate.
 */
export function estimate(value: EstimateView | null, scale: number, unit: string): string {
  if (!value) return '–';
  const error = value.error === null ? '' : ` ± ${fixed(value.error * scale, 1)}`;
  return `${fixed(value.value * scale, 1)}${error}${unit}`;
}

/** Probability of the bad state as a closed SVG path down to 0, within the window; empty without a moment in it. */
export function area(series: ChannelStateSeries, x: TimeScale, y: (share: number) => number): string {
  const points = series.bad.flatMap((share, at) => {
    const t = series.at[at] ?? NaN;
    return t < x.t0 || t > x.t1 ? [] : [`${x(t).toFixed(1)} ${y(share).toFixed(1)}`];
  });
  const [first, last] = [points[0]?.split(' ')[0], points.at(-1)?.split(' ')[0]];
  if (first === undefined || last === undefined) return '';
  return `M ${first} ${y(0).toFixed(1)} L ${points.join(' L ')} L ${last} ${y(0).toFixed(1)} Z`;
}

/**
 * Standardised sum of losses less forecasts as a line from copy to copy, cut to ±`most`; empty for fewer than two
 * copies.
 */
export function excess(series: ChannelStateSeries, x: TimeScale, y: (value: number) => number, most: number): string {
  const points = series.copy_excess.flatMap((value, at) => {
    const t = series.copy_at[at] ?? NaN;
    const cut = Math.max(-most, Math.min(most, value));
    return t < x.t0 || t > x.t1 ? [] : [`${x(t).toFixed(1)} ${y(cut).toFixed(1)}`];
  });
  return points.length < 2 ? '' : `M ${points.join(' L ')}`;
}

/** Places of the lost copies of the window, px. */
export function losses(series: ChannelStateSeries, x: TimeScale): number[] {
  return series.copy_at.filter((t, at) => series.copy_lost[at] && t >= x.t0 && t <= x.t1).map((t) => x(t));
}
