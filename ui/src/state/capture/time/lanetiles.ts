import type { Columns } from '../../../ipc/arrow';
import type { Backend } from '../../../ipc/backend';
import type { LaneColumns, RtoColumns } from '../../../ipc/gen/commands';
import type { Host, LaneView } from '../lanechoice';
import { byRun, collect, type RunOrRecorded } from '../../replies/lanes';
import { Tiles } from './tiles.svelte';

/**
 * Tiles with the lanes of a capture; `standing` returns all lanes, from the top, and `hosts` have lanes of their own.
 */
export function laneTiles(
  backend: Backend,
  capture: number,
  standing: () => readonly LaneView[],
  hosts: readonly Host[],
): Tiles<Columns<LaneColumns>> {
  return new Tiles(async (runs, tile, signal, range) => {
    const lanes =
      range &&
      standing()
        .slice(range[0], range[1] + 1)
        .filter(({ host }) => host === undefined)
        .map(({ id }) => id);
    // Without a range all associations are wanted, one by one.
    const merged = range && hosts.length > 0 ? { hosts: hosts.map(({ members }) => members[0] ?? 0) } : {};
    const request = { capture, runs: [...runs], ...tile, lanes, ...merged };
    return byRun(await backend.call('lanes', request, { signal }), runs);
  });
}

/** Tiles with the timers and round trips of the association whose ID `association` returns. */
export function rtoTiles(backend: Backend, capture: number, association: () => number): Tiles<Columns<RtoColumns>> {
  return new Tiles(async (runs, { t0, t1 }, signal) => {
    const request = { capture, association: association(), t0, t1 };
    const call = async (run: RunOrRecorded) =>
      [run, await backend.call('rto', { ...request, run }, { signal })] as const;
    return collect(await Promise.all(runs.map(call)));
  });
}
