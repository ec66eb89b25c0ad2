// Identity of a build: the commit, where the tree is exactly that, and its time.
import { ROOT } from '../env.mjs';
import { read } from '../run.mjs';

/** Time of packages without a commit, seconds: 1980-01-01, the earliest that every archive format can write. */
const NO_TIME = 315_532_800;

/**
 * Commit of the tree, null where there is none or files differ from it; and seconds since 1970 for all times in
 * packages: SOURCE_DATE_EPOCH where it is set, else the time of the commit.
 */
export function built(folder = ROOT, given = process.env.SOURCE_DATE_EPOCH) {
  const git = (...words) => read('git', ['-C', folder, ...words]);
  const clean = git('status', '--porcelain') === '';
  const commit = clean ? git('rev-parse', 'HEAD') : null;
  const seconds = Number(given || git('log', '-1', '--format=%ct') || NO_TIME);
  return { commit, seconds };
}
