import type { Columns } from '../../../ipc/arrow';
import type { Backend } from '../../../ipc/backend';
import type { LaneColumns, RtoColumns } from '../../../ipc/gen/commands';
import type { AssociationView } from '../../../ipc/gen/types';
import { byRun, collect, type RunOrRecorded } from '../../replies/lanes';
import { Tiles } from './tiles.svelte';

/** Tiles with the lanes of a capture; `standing` returns its associations in the order of their lanes. */
export function laneTiles(
  backend: Backend,
  capture: number,
  standing: () => readonly AssociationView[],
): Tiles<Columns<LaneColumns>> {
  return new Tiles(async (runs, tile, signal, range) => {
    const lanes =
      range &&
      standing()
        .slice(range[0], range[1] + 1)
        .map(({ id }) => id);
    return byRun(await backend.call('lanes', { capture, runs: [...runs], ...tile, lanes }, { signal }), runs);
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
