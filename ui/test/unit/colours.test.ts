// Every colour has one home: tokens.css. A colour anywhere else breaks one of the two themes sooner or later.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
const COLOUR =
  /(?<!url\(|href=["']|[\w&{.])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgba?|hsla?|hwb|oklch|oklab|lch|lab)\(/i;
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<!:)\/\/.*$/gm, '');

function coloured(text: string): string[] {
  return withoutComments(text)
    .split('\n')
    .filter((line) => COLOUR.test(line));
}

test('a colour is recognised', () => {
  for (const line of ['color: #fff;', "fill = '#4f46c6'", 'rgb(0 0 0 / 50%)', 'hsl(20deg 1% 1%)']) {
    expect(coloured(line), line).toHaveLength(1);
  }
  for (const line of ['fill: url(#fade)', '{#each rows as row}', '<a href="#abc">', '// see #1234', 'this.#bad']) {
    expect(coloured(line), line).toHaveLength(0);
  }
});

test('no colour outside tokens.css', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(svelte|ts|css)$/.test(file) && !file.endsWith('tokens.css') && !file.endsWith('.test.ts'))
    .map((file) => [file, coloured(readFileSync(join(SRC, file), 'utf8'))] as const);
  expect(files.filter(([, lines]) => lines.length > 0)).toEqual([]);
});

/** Relative luminance of a colour `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test('text and marks are legible on every ground of a colour rule, in both themes', () => {
  const tokens = readFileSync(join(SRC, 'tokens.css'), 'utf8');
  const of = new Map(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
    ),
  );
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  const grounds = [...of.keys()].filter((name) => name.startsWith('row-'));
  expect(grounds).toHaveLength(7);
  const low: string[] = [];
  for (const theme of [0, 1] as const) {
    const colour = (name: string) => of.get(name)?.[theme] ?? '';
    for (const ground of grounds) {
      const check = (name: string, least: number) => {
        const got = contrast(colour(name), colour(ground));
        if (!(got >= least)) low.push(`${name} on ${ground}, theme ${theme}: ${got.toFixed(2)}`);
      };
      for (const text of ['ink-1', 'ink-2']) check(text, 4.5);
      for (const mark of ['recorded', 'waste', 'err', 'ink-3', 'accent']) check(mark, 3);
      // A ground is seen beside rows without one.
      expect(contrast(colour(ground), colour('bg-1')), `${ground}, theme ${theme}`).toBeGreaterThan(1.12);
    }
  }
  expect(low).toEqual([]);
});
