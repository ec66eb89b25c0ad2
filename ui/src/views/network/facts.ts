// Facts of simulated frames, in words.
import { count, fixed, plural, span } from '../../format';
import type { NetworkView } from '../../ipc/gen/types';
import type { Place } from '../../state/capture/network.svelte';
import { carried, type Load } from './graph';

/** Name of a fact, and the fact. */
export type Fact = readonly [string, string];

/**
 * Sums of the simulated frames of a node, of a link, or of the whole network (null), from their load over the whole
 * time; empty before that is known.
 */
export function simulatedFacts(view: NetworkView, load: Load | undefined, place: Place | null): Fact[] {
  if (!load) return [];
  if (place?.kind === 'link') {
    const sums = carried(load, place.id);
    if (!sums) return [];
    const unique = sums.frames - sums.retries;
    const share = sums.judged > 0 ? `${fixed((100 * sums.lost) / sums.judged, 1)} %` : 'not known';
    return [
      ['frames', `${count(sums.frames)}, ${count(unique)} of them unique, ${span(sums.airtime * 1e9)} on the air`],
      ['lost', `${share}: ${count(sums.lost)} of ${count(sums.judged)}`],
    ];
  }
  // A row for each link, then one for each node, then one for all.
  const row = view.links.length + (place ? place.id : view.nodes.length);
  const frames = plural(load.frames[row] ?? 0, 'frame');
  const air = span((load.airtime[row] ?? 0) * 1e9);
  return place ? [['sent', `${frames}, ${air} on the air`]] : [['on the air', `${air} in all, ${frames}`]];
}
