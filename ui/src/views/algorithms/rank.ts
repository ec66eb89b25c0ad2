import type { Rank } from '../../ipc/gen/types';

/** Meaning of each rank; `spec::Rank` of crate `rto` defines them. */
const NOTES: Record<Rank, string> = {
  A: 'every step is in a source that was read',
  'A-': 'every step, up to a detail the sources disagree on',
  'B+': 'the equations are named by prose, with few gaps',
  B: 'mostly specified; the gaps are named',
  C: 'cannot be implemented honestly from what is public',
};

/** Meaning of a rank in words: how completely the sources specify the algorithm. */
export function rankNote(rank: Rank): string {
  return NOTES[rank];
}
