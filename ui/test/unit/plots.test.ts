// Laws of plots: views take axes, grids and the pointer from src/plot, and computing from the packages that are
// declared.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const UI = join(import.meta.dirname, '../..');

const sources = readdirSync(join(UI, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(ts|svelte|css)$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(UI, 'src', name), 'utf8') }));

/** Names of the sources that contain `what`. */
const having = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ name }) => name);

it('uses every package that the page declares', () => {
  const { dependencies } = JSON.parse(readFileSync(join(UI, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const unused = Object.keys(dependencies).filter(
    (name) => !sources.some(({ text }) => text.includes(`'${name}'`) || text.includes(`'${name}/`)),
  );
  expect(unused).toEqual([]);
});

it('captures the pointer in one place', () => {
  expect(having(/\bsetPointerCapture\(/)).toEqual(['plot/frame/pointer.svelte.ts']);
});

it('draws grid lines in the frame of plots alone', () => {
  const drawing = having(/<(line|path)\b[^>]*\bclass="(grid|foot)"/);
  expect(drawing).toContain('plot/frame/AxisTicks.svelte');
  expect(drawing.filter((name) => !name.startsWith('plot/frame/'))).toEqual([]);
});

it('bisects by d3-array', () => {
  expect(having(/\bbisect(Left|Right|or)\(/).length).toBeGreaterThan(2);
  expect(having(/\(\s*low\s*\+\s*high\s*\)\s*>>/)).toEqual([]);
});
