// Timers that a study of a folder begins with.
import type { AlgorithmChoice } from '../../ipc/gen/types';
import type { Session } from '../../state/session.svelte';

/** The timer that others are compared with: RFC 7252's. */
const BASELINE = 'coap_default';

/** The default of CoAP, and the algorithms that the window shows. */
export function usualTimers({ algorithms }: Session): AlgorithmChoice[] {
  const shown = algorithms.shown.filter(({ draft }) => !draft).map(({ choice }) => choice);
  const has = shown.some(({ id, params }) => id === BASELINE && Object.keys(params).length === 0);
  return has ? shown : [{ id: BASELINE, params: {} }, ...shown];
}

/** The name of a timer for people. */
export function timerName({ algorithms }: Session, { id, params }: AlgorithmChoice): string {
  const name = algorithms.spec(id)?.name ?? id;
  const values = Object.entries(params).map(([key, value]) => `${key} ${String(value)}`);
  return [name, ...values].join(', ');
}
