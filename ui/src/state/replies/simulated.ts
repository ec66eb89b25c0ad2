import { count } from '../../format';
import type { SimulatedView } from '../../ipc/gen/types';

/** Origin of simulated frames in words: the replicate that the lanes of a run show. */
export const simulatedAs = ({ replicate, of }: SimulatedView) =>
  `simulated, replicate ${count(replicate)} of ${count(of)}`;
