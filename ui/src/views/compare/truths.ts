// Truth marks: values measured in real runs of this network, beside the predictions for the timer that ran.
import { fixed } from '../../format';
import type { AlgorithmSpec, MeasuredRun } from '../../ipc/gen/types';
import { timerText } from '../../state/replay/algorithms.svelte';

/** A real run beside the row of a timer. */
export interface Truth {
  /** Whether the timer of the row ran, with all its parameters; else another timer of its algorithm did. */
  same: boolean;
  /** The real run with its measured values. */
  run: MeasuredRun;
  /** The timer that ran, with the parameters that differ from its preset's: `CoCoA (RTO max 32 s)`. */
  timer: string;
}

/**
 * Real runs beside the timer at position `at` of the question: those under exactly this timer, else those of its
 * algorithm. `specOf` finds an algorithm by its id.
 */
export function truthsOf(
  runs: readonly MeasuredRun[] | undefined,
  at: number,
  specOf: (id: string) => AlgorithmSpec | undefined,
): Truth[] {
  const beside = (positions: 'same' | 'alike') => (runs ?? []).filter((run) => run[positions].includes(at));
  const same = beside('same');
  return (same.length > 0 ? same : beside('alike')).map((run) => ({
    run,
    same: same.length > 0,
    timer: timerOf(run, specOf),
  }));
}

/** Name of the timer of a run with its changed parameters; the id of an algorithm that is not known here. */
function timerOf({ algorithm }: MeasuredRun, specOf: (id: string) => AlgorithmSpec | undefined): string {
  return algorithm ? timerText(algorithm, specOf) : 'a timer that is not known';
}

/**
 * Tooltip of a truth mark; `value` in the shown unit: `Measured 2.37 s: this timer really ran (Storm avoided by
 * CoCoA)`.
 */
export function truthTitle({ run, same, timer }: Truth, value: number, unit: string, decimals: number): string {
  const measured = `Measured ${fixed(value, decimals)}${unit ? `\u00a0${unit}` : ''}`;
  const how = run.known === 'identified' ? ', told by its timeouts' : '';
  const which = same ? `this timer really ran${how}` : `${timer} really ran${how}, a timer of the same algorithm`;
  return `${measured}: ${which} (${run.name})`;
}
