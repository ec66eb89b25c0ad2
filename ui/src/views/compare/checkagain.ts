// Second captures that a prediction of the comparison can be held against.
import type { Row } from './columns';

/** Check that can be made: a predicted run, and an open capture of the same network under its timer. */
export interface Offer {
  /** Both numbers; equal for equal offers. */
  key: string;
  /** Numbers of the predicted run and of the second capture. */
  run: number;
  capture: number;
  /** Words for people: `CoCoA+ in “after.pcap”`. */
  text: string;
}

/** Offers for all rows that were replayed, in the order of the rows; those whose exact timer ran come first. */
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
