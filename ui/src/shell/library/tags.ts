// Tags of captures as the library shows them: those that all runs of a group share stand at the group, the others at
// runs.
import type { TagSet } from '../../state/library/tags.svelte';

/** Tags that all of several captures have with one value; none where there is no capture. */
export function sharedTags(sets: readonly TagSet[]): TagSet {
  const [first = {}, ...others] = sets;
  return Object.fromEntries(Object.entries(first).filter(([key, value]) => others.every((set) => set[key] === value)));
}

/** The tags of `all` that are not in `shared`. */
export function otherTags(all: TagSet, shared: TagSet): TagSet {
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => shared[key] !== value));
}

/** Tags in a few words: a number needs its key, a name speaks for itself. Empty without any. */
export function tagWords(tags: TagSet): string {
  return Object.entries(tags)
    .map(([key, value]) => (/^[\d.,]+$/.test(value) ? `${key}\u00a0${value}` : value))
    .join(' · ');
}

/** Tags with all their keys, for a tooltip. */
export function tagLines(tags: TagSet): string {
  return Object.entries(tags)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
}
