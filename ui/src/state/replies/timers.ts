// Texts on the timer of a copy: its value, error and source, and the gap on the air in its place where it is not known.
import { span } from '../../format';
import type { TimerView, WaitView } from '../../ipc/gen/types';

/** Parts of a copy that tell when its timer was armed and for how long; times in ns, null where they are not known. */
export interface Timed {
  timer: TimerView | null;
  gap: number | null;
  wait: WaitView | null;
}

/** Tooltip of the gap on the air, which stands where no timer is known. */
export const GAP =
  'On the air, from this copy to the next. How long the timer was nothing tells: each copy waits in its client before it is sent.';

/** Source of a timer: `by the client’s log`, `inferred from gaps` or `as armed`. */
export function knownBy({ known }: TimerView): string {
  return known === 'log' ? 'by the client’s log' : known === 'inferred' ? 'inferred from gaps' : 'as armed';
}

/** A timer as text: `2.05 s ± 1.0 ms, by the client’s log`. */
export function timerText(timer: TimerView): string {
  const error = timer.error > 0 ? ` ± ${span(timer.error)}` : '';
  return `${span(timer.value)}${error}, ${knownBy(timer)}`;
}

/**
 * Time by which the timer of a copy was too short, from its end to the reply, and the error of that, both ns. `rtt`
 * (ns) runs from the air, the timer from before. Null where the timer is not known, or the difference is within its
 * error.
 */
export function tooShortBy(copy: Timed, rtt: number | null): { value: number; error: number } | null {
  if (copy.timer === null || rtt === null) return null;
  const value = rtt + (copy.wait?.value ?? 0) - copy.timer.value;
  const error = copy.timer.error + (copy.wait?.error ?? 0);
  return value > error ? { value, error } : null;
}
