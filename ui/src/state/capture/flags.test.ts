import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Flags } from './flags.svelte';

const flag = fc.record({ at: fc.integer({ min: 0, max: 20 }), note: fc.string({ maxLength: 3 }) });

it('stand in order of time, one at a moment, each found from either side', () => {
  fc.assert(
    fc.property(fc.array(flag), fc.integer({ min: -1, max: 21 }), (planted, from) => {
      const flags = new Flags();
      for (const { at, note } of planted) flags.plant(at, note);
      const times = flags.all.map(({ at }) => at);
      expect(times).toEqual([...new Set(planted.map(({ at }) => at))].sort((a, b) => a - b));
      // The flag that was planted first stays.
      for (const { at, note } of flags.all) expect(note).toBe(planted.find((one) => one.at === at)?.note);
      expect(flags.next(from, false)?.at).toBe(times.filter((at) => at > from).at(0));
      expect(flags.next(from, true)?.at).toBe(times.filter((at) => at < from).at(-1));
    }),
  );
});

it('are noted and removed by their moment', () => {
  const flags = new Flags();
  flags.plant(5);
  flags.plant(3, 'a');
  flags.note(5, 'b');
  flags.remove(3);
  flags.note(4, 'nothing is there');
  expect(flags.all).toEqual([{ at: 5, note: 'b' }]);
});
