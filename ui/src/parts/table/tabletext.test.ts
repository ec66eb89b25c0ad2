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

it('the row that the core tests its writers with is the same text here', () => {
  const core = readFileSync(join(import.meta.dirname, '../../../../src-tauri/crates/table/src/paper.rs'), 'utf8');
  const table = { columns: ['a_b'], numeric: [false], rows: [['50 % & <x>|\\']] };
  // Text as a Rust literal writes it.
  const literal = (text: string) => text.replaceAll('\\', '\\\\');
  const [latex, markdown] = ['50 \\% \\& $<$x$>$|\\textbackslash{}', '| 50 % & &lt;x>\\|\\\\ |'];
  expect(tableText(table, 'latex')).toContain(`  ${latex} `);
  expect(tableText(table, 'markdown').split('\n')[2]).toBe(markdown);
  expect(core).toContain(literal(latex));
  expect(core).toContain(literal(markdown.slice(0, -2)));
});
