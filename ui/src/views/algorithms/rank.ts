import type { Rank } from '../../ipc/gen/types';

const NOTES: Record<Rank, string> = {
  A: 'every step is in a source that was read',
  'A-': 'every step, up to a detail the sources disagree on',
  'B+': 'the equations are named by prose, with few gaps',
  B: 'mostly specified; the gaps are named',
  C: 'cannot be implemented honestly from what is public',
};

/** Completeness of an algorithm's specification in its sources. */
export function rankNote(rank: Rank): string {
  return NOTES[rank];
}
