// Curves and clients of the distribution below the comparison.
import { fixed } from '../../format';
import type { ClientEffect, CurveView, DistributionView } from '../../ipc/gen/types';
import type { EcdfCurve } from '../../plot/marks/ecdf';
import { RECORDED, type Style } from '../../plot/series';
import type { Row } from './columns';

/** Shares below and above which a curve says nothing, so that the axis does not reach there. */
const [SOON, DONE] = [0.01, 0.995];

const curveOf = (name: string, style: Style, { times, median, lo90, hi90 }: CurveView): EcdfCurve => ({
  ...{ name, style, times, share: median, low: lo90, high: hi90 },
});

/** `, settled 57 %`: a curve of two says which it is. */
function modeWords(curves: readonly CurveView[], at: number): string {
  const share = curves[at]?.weight ?? 1;
  return curves.length < 2 ? '' : `, ${at === 0 ? 'settled' : 'collapsed'} ${fixed(share * 100, 0)}\u00a0%`;
}

/** The recorded row, and every row whose run is in `view`. */
export function curvesOf(view: DistributionView, rows: readonly Row[]): EcdfCurve[] {
  const recorded = view.recorded.times.length > 0 ? [curveOf('recorded', RECORDED, view.recorded)] : [];
  const modelled = rows.flatMap(({ item, run, style }) => {
    const own = view.runs.find((one) => one.run === run?.run);
    return own?.curves.map((curve, at) => curveOf(`${item.name}${modeWords(own.curves, at)}`, style, curve)) ?? [];
  });
  return [...recorded, ...modelled];
}

/** Times between which some curve rises, seconds. */
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

/** Axis of all clients: from the shortest to the longest mean, seconds. */
export function clientDomain(clients: readonly ClientEffect[]): [number, number] {
  const all = clients
    .flatMap(({ recorded, runs }) => [recorded, ...runs.flatMap(({ lo90, hi90 }) => [lo90, hi90])])
    .filter((value): value is number => value !== null && value > 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return all.length > 0 ? [least / 1.15, most * 1.15] : [0.1, 10];
}
