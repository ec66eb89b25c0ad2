// Words for a copy's timer: how it is known, with its error, and the gap on the air that stands where nothing tells it.
import { span } from '../../format';
import type { TimerView, WaitView } from '../../ipc/gen/types';

/** Parts of a copy that say when its timer was armed and how long it is. */
export interface Timed {
  timer: TimerView | null;
  gap: number | null;
  wait: WaitView | null;
}

/** Title of what the capture shows where nothing tells a timer. */
export const GAP =
  'On the air, from this copy to the next. How long the timer was nothing tells: each copy waits in its client before it is sent.';

/** `by the client’s log`, `inferred from gaps`, `as armed`. */
export function knownBy({ known }: TimerView): string {
  return known === 'log' ? 'by the client’s log' : known === 'inferred' ? 'inferred from gaps' : 'as armed';
}

/** `2.05 s ± 1.0 ms, by the client’s log`. */
export function timerText(timer: TimerView): string {
  const error = timer.error > 0 ? ` ± ${span(timer.error)}` : '';
  return `${span(timer.value)}${error}, ${knownBy(timer)}`;
}

/**
 * Time from the end of its timer to the reply of a copy, and the error of that, ns: `rtt` runs from the air, the timer from before.
 * Null where the timer is not known, or the difference is within its error.
 */
export function tooShortBy(copy: Timed, rtt: number | null): { value: number; error: number } | null {
  if (copy.timer === null || rtt === null) return null;
  const value = rtt + (copy.wait?.value ?? 0) - copy.timer.value;
  const error = copy.timer.error + (copy.wait?.error ?? 0);
  return value > error ? { value, error } : null;
}
