import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tableText, type TextFormat, type TextTable } from './tabletext';

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'tabletext.vectors.json'), 'utf8')) as TextTable &
  Record<TextFormat, string>;

it.each(['csv', 'markdown', 'latex'] as const)('a table of hostile strings as %s is that of the core', (format) => {
  expect(tableText(vectors, format)).toBe(vectors[format]);
});

it('a note stands where a format has a place for it, unusual settings in each row of CSV', () => {
  const table = {
    columns: ['n'],
    numeric: [true],
    rows: [['1']],
    note: 'T.\n%x',
    settings: 'Rules: nstart 2, repeats.',
  };
  expect(tableText(table, 'csv')).toBe('n,settings\n1,"Rules: nstart 2, repeats."\n');
  expect(tableText(table, 'markdown')).toBe('| n |\n| ---: |\n| 1 |\n\nT.\n%x\n');
  expect(tableText(table, 'latex')).toMatch(/^% T\. %x\n\\begin\{tabular\}\{r\}\n/);
});
