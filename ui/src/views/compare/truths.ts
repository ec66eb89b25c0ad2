// Truth marks: values that a timer really had in this network, beside what is predicted of it.
import { fixed } from '../../format';
import type { AlgorithmSpec, MeasuredRun } from '../../ipc/gen/types';
import { describe, overrides } from '../../state/replay/algorithms.svelte';

/** A real run beside the row of a timer. */
export interface Truth {
  /** The timer of the row ran, with all its parameters; else another timer of the same algorithm. */
  same: boolean;
  run: MeasuredRun;
  /** The timer that ran, with the parameters that differ from its preset's: `CoCoA (RTO max 32 s)`. */
  timer: string;
}

/** The real runs beside the timer at position `at` of the question: those under itself, or where there is none those of its algorithm. */
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

function timerOf({ algorithm }: MeasuredRun, specOf: (id: string) => AlgorithmSpec | undefined): string {
  if (!algorithm) return 'a timer that is not known';
  const spec = specOf(algorithm.id);
  if (!spec) return algorithm.id;
  const changed = describe(spec, overrides(spec, algorithm.params));
  return changed ? `${spec.name} (${changed})` : spec.name;
}

/** Tooltip of a truth: `Measured 2.37 s: CoCoA … in the run “Storm avoided by CoCoA”`. */
export function truthTitle({ run, same, timer }: Truth, value: number, unit: string, decimals: number): string {
  const measured = `Measured ${fixed(value, decimals)}${unit ? `\u00a0${unit}` : ''}`;
  const how = run.known === 'identified' ? ', told by its timeouts' : '';
  const which = same ? `this timer really ran${how}` : `${timer} really ran${how}, a timer of the same algorithm`;
  return `${measured}: ${which} (${run.name})`;
}
