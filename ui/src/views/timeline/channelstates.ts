import { fixed } from '../../format';
import type { EstimateView, PathStatesView, ChannelStateSeries } from '../../ipc/gen/types';
import type { TimeScale } from '../../plot/scale';

/** With fewer bad periods than this, their mean length is known to no better than a half of itself. */
const MIN_BAD_PERIODS = 5;

/** Two states were fitted, but fewer than `MIN_BAD_PERIODS` bad periods were seen. */
export const hasTooFewBadPeriods = ({ verdict, seen }: Pick<PathStatesView, 'verdict' | 'seen'>): boolean =>
  verdict === 'two_states' && seen !== null && seen < MIN_BAD_PERIODS;

/** `12 ± 3 %`; without the error where the copies do not bound it. */
export function estimate(value: EstimateView | null, scale: number, unit: string): string {
  if (!value) return '–';
  const error = value.error === null ? '' : ` ± ${fixed(value.error * scale, 1)}`;
  return `${fixed(value.value * scale, 1)}${error}${unit}`;
}

/** The posterior as a closed path from its own foot, within the window. */
export function area(series: ChannelStateSeries, x: TimeScale, y: (share: number) => number): string {
  const points = series.bad.flatMap((share, at) => {
    const t = series.at[at] ?? NaN;
    return t < x.t0 || t > x.t1 ? [] : [`${x(t).toFixed(1)} ${y(share).toFixed(1)}`];
  });
  const [first, last] = [points[0]?.split(' ')[0], points.at(-1)?.split(' ')[0]];
  if (first === undefined || last === undefined) return '';
  return `M ${first} ${y(0).toFixed(1)} L ${points.join(' L ')} L ${last} ${y(0).toFixed(1)} Z`;
}

/** Losses less forecasts, as steps, cut to ±`most`. */
export function excess(series: ChannelStateSeries, x: TimeScale, y: (value: number) => number, most: number): string {
  const points = series.copy_excess.flatMap((value, at) => {
    const t = series.copy_at[at] ?? NaN;
    const cut = Math.max(-most, Math.min(most, value));
    return t < x.t0 || t > x.t1 ? [] : [`${x(t).toFixed(1)} ${y(cut).toFixed(1)}`];
  });
  return points.length < 2 ? '' : `M ${points.join(' L ')}`;
}

/** Places of the window's lost copies, px. */
export function losses(series: ChannelStateSeries, x: TimeScale): number[] {
  return series.copy_at.filter((t, at) => series.copy_lost[at] && t >= x.t0 && t <= x.t1).map((t) => x(t));
}
