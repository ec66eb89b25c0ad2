// Predictions that can be held against a second capture.
import type { AlgorithmChoice, AlgorithmSpec, KeptPrediction } from '../../ipc/gen/types';
import { timerText } from '../../state/replay/algorithms.svelte';
import type { Row } from './columns';

/** A predicted run of the comparison with an open capture of the same network under its timer. */
export interface RunOffer {
  at: 'run';
  key: string;
  /** Number of the predicted run, and of the second capture. */
  run: number;
  capture: number;
  /** Text of the offer: `CoCoA+ in “after.pcap”`. */
  text: string;
}

/** A kept prediction, for the capture that is shown. */
export interface KeptOffer {
  at: 'kept';
  key: string;
  prediction: KeptPrediction;
  /** Timer of several; null: the one that ran. */
  algorithm: AlgorithmChoice | null;
  /** `CoCoA+, as predicted from “before.pcap”`. */
  text: string;
}

/** The open real runs under each predicted timer; those that ran exactly it first. */
export function checkable(rows: readonly Row[]): RunOffer[] {
  const all = rows.flatMap(({ item, run, truths = [] }) =>
    truths.flatMap((truth) => {
      const { capture, name } = truth.run;
      if (!run || capture === null) return [];
      const offer: RunOffer = {
        at: 'run',
        ...{ key: `${run.run} ${capture}`, run: run.run, capture },
        text: `${item.name} in “${name}”`,
      };
      return [{ offer, same: truth.same }];
    }),
  );
  return [...all.filter(({ same }) => same), ...all.filter(({ same }) => !same)].map(({ offer }) => offer);
}

/** The kept predictions, latest first; of several timers first the one that ran, then each. */
export function keptOffers(
  kept: readonly KeptPrediction[],
  algorithms: { spec(id: string): AlgorithmSpec | undefined },
): KeptOffer[] {
  return kept
    .map((prediction, place) => {
      const from = `as predicted from “${prediction.capture.name}”`;
      const each = prediction.runs.map(({ algorithm: id, params }, at): KeptOffer => {
        const text = `${timerText({ id, params }, (name) => algorithms.spec(name))}, ${from}`;
        return { at: 'kept', key: `kept ${place} ${at}`, prediction, algorithm: { id, params }, text };
      });
      const ran: KeptOffer = {
        ...{ at: 'kept', key: `kept ${place}`, prediction, algorithm: null },
        text: `The timer that ran, ${from}`,
      };
      return each.length === 1 ? each : [ran, ...each];
    })
    .reverse()
    .flat();
}
