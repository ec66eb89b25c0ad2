// Dependencies of the page: each is imported, or used as a tool, by some source.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, UI } from '../env.mjs';

const SKIPPED = new Set(['node_modules', 'dist', 'gen', 'fixtures', 'shots']);
const SOURCES = /(\.(ts|svelte|js|mjs|cjs|css|html)|tsconfig.*\.json)$/;

/** Texts of the sources below a folder. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sources(path);
    return SOURCES.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Whether a source names a package, as an import or as the path of a tool. */
function isNamed(name, texts) {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`['"](node_modules/)?${escaped}(/[^'"]*)?['"]`);
  return texts.some((text) => named.test(text));
}

test('every dependency of the page is used', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(UI, 'package.json'), 'utf8'));
  const texts = [...sources(UI), ...sources(join(ROOT, 'scripts')), ...sources(join(ROOT, 'wireshark'))];
  texts.push(readFileSync(join(ROOT, '.prettierrc'), 'utf8'));
  const all = Object.keys({ ...dependencies, ...devDependencies });
  // Peers of others, which import them: the compiler is svelte-check's and typescript-eslint's.
  const used = (name) => name === 'typescript' || isNamed(name, texts);
  const types = (name) => name.startsWith('@types/') && (all.includes(name.slice(7)) || name === '@types/node');
  assert.deepEqual(
    all.filter((name) => !types(name) && !used(name)),
    [],
  );
});

test('an import and the path of a tool name a package, a longer name does not', () => {
  assert.ok(isNamed('d3-array', ["import { bisect } from 'd3-array';"]));
  assert.ok(isNamed('vite', ["tool('vite/bin/vite.js')"]));
  assert.ok(!isNamed('d3-array', ["import x from 'd3-array-more';"]));
});
