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
