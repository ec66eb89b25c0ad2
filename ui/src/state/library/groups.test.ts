import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grouped, inOrder, moved, sameOrder, type Run } from './groups';
import { runNames, stemOf } from './names';

/** Captures of these paths as the library holds them; `folder` is the one that all were opened with. */
function runs(paths: readonly string[], folder: string | null = null): Run[] {
  const files = paths.map((path) => ({ path, name: path.split(/[\\/]/).at(-1) ?? '' }));
  const titles = runNames(files);
  return files.map((file, id) => ({ ...file, id, folder, title: titles[id] ?? '' }));
}
const shown = (all: readonly Run[]) =>
  grouped(all).map(({ name, runs: inside }) => [name, inside.map((run) => run.name)]);

describe('groups', () => {
  it('are the runs of one folder, named by what tells them apart', () => {
    const lab = ['/lab/chain5/default-1/radio.pcap.gz', '/lab/chain5/cocoa-1/radio.pcap.gz'];
    expect(shown(runs(lab))).toEqual([['chain5', ['default-1', 'cocoa-1']]]);
    expect(shown(runs(['/lab/day1.pcap', '/lab/day2.pcap', '/home/other.pcap']))).toEqual([
      ['lab', ['day1', 'day2']],
      ['other', ['other']],
    ]);
  });

  it('of two folders with like names have names of their own', () => {
    const paths = [
      '/a/chain/one/radio.pcap',
      '/a/chain/two/radio.pcap',
      '/b/chain/one/radio.pcap',
      '/b/chain/two/radio.pcap',
    ];
    expect(shown(runs(paths))).toEqual([
      ['a/chain', ['one', 'two']],
      ['b/chain', ['one', 'two']],
    ]);
  });

  it('hold every run of the folder that was opened, however deep it lies', () => {
    const paths = ['C:\\lab\\cocoa\\1\\radio.log', 'C:\\lab\\cocoa\\2\\radio.log', 'C:\\lab\\default\\1\\radio.log'];
    expect(shown(runs(paths, 'C:\\lab'))).toEqual([['lab', ['cocoa/1', 'cocoa/2', 'default/1']]]);
  });

  it('need two captures, and a path', () => {
    expect(shown(runs(['/lab/radio.pcap']))).toEqual([['radio', ['radio']]]);
    const bundled = [0, 1].map((id) => ({ id, name: 's.pcap', path: null, folder: null, title: `Sample ${id}` }));
    expect(grouped(bundled).map(({ folder, name }) => [folder, name])).toEqual([
      [null, 'Sample 0'],
      [null, 'Sample 1'],
    ]);
  });

  it('lose no capture, and stand where their first one does', () => {
    const part = fc.constantFrom('a', 'b', 'c');
    const path = fc.tuple(part, part, part).map((names) => `/${names.join('/')}.pcap`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const all = runs(paths);
        const groups = grouped(all);
        const ids = groups.flatMap(({ runs: inside }) => inside.map(({ of }) => of));
        expect(ids.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id));
        const firsts = groups.map(({ runs: [first] }) => first?.of ?? -1);
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
        for (const { runs: inside } of groups) expect(new Set(inside.map(({ name }) => name)).size).toBe(inside.length);
      }),
    );
  });
});

describe('names of runs', () => {
  it('tell any files apart, and are those of the files where these do', () => {
    const part = fc.constantFrom('a', 'b', 'c', 'radio');
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}.pcap`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), (paths) => {
        const files = paths.map((path) => ({ path, name: path.split('/').at(-1) ?? '' }));
        const names = runNames(files);
        const stems = files.map(({ name }) => stemOf(name));
        for (const [index, stem] of stems.entries()) {
          const alike = names.filter((_, other) => stems[other] === stem);
          expect(new Set(alike).size).toBe(alike.length);
          if (alike.length === 1) expect(names[index]).toBe(stem);
        }
      }),
    );
    expect(runNames([{ name: 'radio.pcap', path: '/x/radio.pcap' }])).toEqual(['radio']);
  });

  it('name all of one name as deep as the most alike need', () => {
    const names = ['/t/cocoa/1/radio.pcap', '/t/cocoa/2/radio.pcap', '/t/default/1/radio.pcap'];
    expect(runNames(names.map((path) => ({ path, name: 'radio.pcap' })))).toEqual(['cocoa/1', 'cocoa/2', 'default/1']);
  });

  it('leave out what two files of one folder share', () => {
    const paths = ['/t/one/radio.pcap', '/t/two/radio.pcap', '/t/one/sniffed.pcap'];
    expect(runNames(paths.map((path) => ({ path, name: path.split('/').at(-1) ?? '' })))).toEqual([
      'one/radio',
      'two/radio',
      'sniffed',
    ]);
    const same = { path: '/t/one/radio.pcap', name: 'radio.pcap' };
    expect(runNames([same, same])).toEqual(['radio', 'radio']);
  });
});

describe('orders', () => {
  it('move one member and keep the others', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  });

  it('are restored around captures that came since', () => {
    expect(inOrder([1, 5, 3, 2], [2, 3, 1])).toEqual([2, 5, 3, 1]);
    expect(inOrder([1, 2], [9, 2, 1])).toEqual([2, 1]);
  });

  it('differ only where common members do', () => {
    expect(sameOrder([1, 2, 3], [1, 9, 3])).toBe(true);
    expect(sameOrder([1, 2, 3], [3, 1])).toBe(false);
  });
});
