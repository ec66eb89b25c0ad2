// Timers that a study of a folder begins with.
import type { AlgorithmChoice } from '../../ipc/gen/types';
import type { Session } from '../../state/session.svelte';

/** Identifier of the timer that others are compared with: that of RFC 7252. */
const BASELINE = 'coap_default';

/** Timers that a study of a folder begins with: the default of CoAP first, and the algorithms that the window shows. */
export function usualTimers({ algorithms }: Session): AlgorithmChoice[] {
  const shown = algorithms.shown.filter(({ draft }) => !draft).map(({ choice }) => choice);
  const has = shown.some(({ id, params }) => id === BASELINE && Object.keys(params).length === 0);
  return has ? shown : [{ id: BASELINE, params: {} }, ...shown];
}
