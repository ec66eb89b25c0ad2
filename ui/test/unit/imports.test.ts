// Imports inside ui/src point one way: no cycle among files, and state's folders form layers. Rooms are eslint's
// (eslint.config.js).
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** Folders of ui/src/state, lowest first: each may import those before it. Files beside the folders may import all. */
const LAYERS = ['window', 'replies', 'fields', 'replay', 'capture', 'library', 'workspace', 'document'];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => join(SRC, name));

/** Files below ui/src that `file` imports, types included. */
function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...specifiers].flatMap(([, specifier = '']) => {
    const path = join(dirname(file), specifier);
    return (
      ['', '.ts', '.svelte'].map((ending) => path + ending).find((name) => /\.\w+$/.test(name) && isFile(name)) ?? []
    );
  });
}

const isFile = (path: string) => files.includes(path) || (existsSync(path) && path.endsWith('.css'));

const graph = new Map(files.map((file) => [file, importsOf(file).filter((other) => files.includes(other))]));

/** One cycle through `file`, as paths below ui/src; undefined where there is none. */
function cycleFrom(file: string): string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, trail: readonly string[]): string[] | undefined => {
    for (const next of graph.get(at) ?? []) {
      if (next === file) return [...trail, next].map((name) => relative(SRC, name));
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...trail, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(file, [file]);
}

describe('imports', () => {
  it('are found', () => {
    const count = [...graph.values()].reduce((sum, list) => sum + list.length, 0);
    expect(count).toBeGreaterThan(500);
    expect(graph.get(join(SRC, 'state/document/undo.svelte.ts'))).toContain(
      join(SRC, 'state/fields/history.svelte.ts'),
    );
  });

  it('form no cycle', () => {
    expect(files.flatMap((file) => cycleFrom(file)?.join(' -> ') ?? [])).toEqual([]);
  });

  it('point downwards among the folders of state', () => {
    const layer = (file: string) => {
      const [room, folder] = relative(SRC, file).split(/[/\\]/);
      return room === 'state' && folder !== undefined ? LAYERS.indexOf(folder) : -1;
    };
    const top = (file: string) => relative(join(SRC, 'state'), file).split(/[/\\]/).length === 1;
    const upwards = [...graph].flatMap(([file, list]) =>
      layer(file) < 0
        ? []
        : list
            .filter((other) => layer(other) > layer(file) || (relative(SRC, other).startsWith('state') && top(other)))
            .map((other) => `${relative(SRC, file)} -> ${relative(SRC, other)}`),
    );
    expect(upwards).toEqual([]);
    const folders = readdirSync(join(SRC, 'state'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).toSorted()).toEqual(LAYERS.toSorted());
  });
});
