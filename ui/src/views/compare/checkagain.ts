// Second captures that a prediction of the comparison can be held against.
import type { Row } from './columns';

/** A predicted run with an open capture of the same network under its timer. */
export interface Offer {
  key: string;
  /** Number of the predicted run, and of the second capture. */
  run: number;
  capture: number;
  /** `CoCoA+ in “after.pcap”`. */
  text: string;
}

/** The open real runs under each predicted timer; those that ran exactly it first. */
export function checkable(rows: readonly Row[]): Offer[] {
  const all = rows.flatMap(({ item, run, truths = [] }) =>
    truths.flatMap((truth) => {
      const { capture, name } = truth.run;
      if (!run || capture === null) return [];
      const offer: Offer = {
        ...{ key: `${run.run} ${capture}`, run: run.run, capture },
        text: `${item.name} in “${name}”`,
      };
      return [{ offer, same: truth.same }];
    }),
  );
  return [...all.filter(({ same }) => same), ...all.filter(({ same }) => !same)].map(({ offer }) => offer);
}
