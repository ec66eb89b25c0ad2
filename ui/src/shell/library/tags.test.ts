import { expect, it } from 'vitest';
import { otherTags, sharedTags, tagLines, tagWords } from './tags';

const RUNS: readonly Record<string, string>[] = [
  { nodes: '5', mac: 'TSCH', preset: 'default' },
  { nodes: '5', mac: 'TSCH', preset: 'cocoa', room: 'cellar' },
];

it('tags that all runs share stand at their group, the others at the runs', () => {
  const shared = sharedTags(RUNS);
  expect(shared).toEqual({ nodes: '5', mac: 'TSCH' });
  expect(RUNS.map((tags) => otherTags(tags, shared))).toEqual([
    { preset: 'default' },
    { preset: 'cocoa', room: 'cellar' },
  ]);
  expect(sharedTags([])).toEqual({});
});

it('a number is shown with its key, a name alone', () => {
  expect(tagWords(RUNS[0] ?? {})).toBe('nodes\u00a05 · TSCH · default');
  expect(tagLines(RUNS[0] ?? {})).toBe('nodes: 5, mac: TSCH, preset: default');
  expect(tagWords({})).toBe('');
});
