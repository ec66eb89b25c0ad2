// Curves and axes of the distributions below the comparison.
import { fixed } from '../../format';
import type { ClientEffect, CurveView, DistributionView } from '../../ipc/gen/types';
import type { EcdfCurve } from '../../plot/marks/ecdf';
import { RECORDED, type Style } from '../../plot/series';
import type { Row } from './columns';

/** Shares of a curve's height between which the axis runs. Chosen here: it does not reach into the flat ends. */
const [SOON, DONE] = [0.01, 0.995];

const curveOf = (name: string, style: Style, { times, median, lo90, hi90 }: CurveView): EcdfCurve => ({
  ...{ name, style, times, share: median, low: lo90, high: hi90 },
});

/** Words for one of two modes, `, settled 57 %`; empty for a run with one curve. */
function modeWords(curves: readonly CurveView[], at: number): string {
  const share = curves[at]?.weight ?? 1;
  return curves.length < 2 ? '' : `, ${at === 0 ? 'settled' : 'collapsed'} ${fixed(share * 100, 0)}\u00a0%`;
}

/**
 * Curves of the recorded behaviour and of every row whose run is in `view`, a run with two modes with two; times in
 * seconds.
 */
export function curvesOf(view: DistributionView, rows: readonly Row[]): EcdfCurve[] {
  const recorded = view.recorded.times.length > 0 ? [curveOf('recorded', RECORDED, view.recorded)] : [];
  const modelled = rows.flatMap(({ item, run, style }) => {
    const own = view.runs.find((one) => one.run === run?.run);
    return own?.curves.map((curve, at) => curveOf(`${item.name}${modeWords(own.curves, at)}`, style, curve)) ?? [];
  });
  return [...recorded, ...modelled];
}

/** Ends of the axis of times, seconds: where some curve rises, with a tenth of free space. 0.1 to 10 s without any. */
export function domainOf(curves: readonly EcdfCurve[]): [number, number] {
  const ends = curves.flatMap(({ times, share }) => {
    const whole = share.at(-1) ?? 0;
    const from = times[share.findIndex((value) => value > SOON * whole)];
    const to = times[share.findIndex((value) => value >= DONE * whole)] ?? times.at(-1);
    return from !== undefined && to !== undefined && whole > 0 ? [from, to] : [];
  });
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  return ends.length > 0 && most > least ? [least / 1.1, most * 1.1] : [0.1, 10];
}

/**
 * Ends of the axis of all clients, seconds: the recorded means and the intervals under all timers, with 15 % of free
 * space.
 */
export function clientDomain(clients: readonly ClientEffect[]): [number, number] {
  const all = clients
    .flatMap(({ recorded, runs }) => [recorded, ...runs.flatMap(({ lo90, hi90 }) => [lo90, hi90])])
    .filter((value): value is number => value !== null && value > 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return all.length > 0 ? [least / 1.15, most * 1.15] : [0.1, 10];
}
