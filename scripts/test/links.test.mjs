// The Markdown files of the repository: every relative link, every anchor and every npm script that they name exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../env.mjs';

const SKIPPED = new Set(['node_modules', 'target', 'build', 'dist', '.git', 'gen', 'shots']);

/** Paths of the Markdown files below a folder. */
function markdown(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Text without code blocks and inline code, in which brackets are no links. */
const prose = (text) => text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Anchors of a file, as GitHub makes them from headings. */
const anchors = (text) =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

/** Rust sources below a folder, with their texts. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.rs'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
}

const FILES = markdown(ROOT).map((path) => ({ path, name: relative(ROOT, path), text: readFileSync(path, 'utf8') }));

test('links and anchors of all Markdown files exist', () => {
  assert.ok(
    FILES.some(({ name }) => name === 'README.md') && FILES.some(({ name }) => name === join('docs', 'README.md')),
  );
  const broken = FILES.flatMap(({ path, name, text }) =>
    [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(target)) return true;
        return Boolean(anchor) && !anchors(readFileSync(target, 'utf8')).includes(anchor);
      })
      .map((link) => `${name}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('every page of docs is linked from its table of contents', () => {
  const contents = readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8');
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const missing = pages.filter((name) => !contents.includes(`(${name})`));
  assert.deepEqual(missing, []);
});

test('every path that ARCHITECTURE.md and docs name exists', () => {
  const folders = ['', 'src-tauri', join('src-tauri', 'crates'), 'ui', join('ui', 'src')];
  const known = (path) => folders.some((folder) => existsSync(join(ROOT, folder, path)));
  const missing = FILES.filter(({ name }) => name === 'ARCHITECTURE.md' || name.startsWith('docs')).flatMap(
    ({ name, text }) =>
      [...text.matchAll(/`((?:[a-z_-]+\/)+(?:[\w.-]+\.(?:rs|ts|svelte|mjs|lua|md)|src\/[\w/]+|[\w-]+\/))`/g)]
        .map(([, path]) => path)
        .filter((path) => !known(path))
        .map((path) => `${name}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('every term of the glossary has one sentence and a place where it is defined, in order of the alphabet', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = text
    .slice(text.indexOf('| term | meaning | defined in |'))
    .split('\n')
    .filter((line) => line.startsWith('| **'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.ok(rows.length > 40);
  const terms = rows.map(([, term]) => term.replaceAll('*', ''));
  assert.deepEqual(
    terms,
    terms.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en')),
  );
  for (const [, term, meaning, places, ...rest] of rows) {
    assert.deepEqual(rest, [''], `${term} has three cells`);
    assert.match(meaning, /^[A-Z](?:[^.]|\.(?! [A-Z]|$))*\.$/, `${term} is explained in one sentence`);
    assert.match(places, /^`[\w./-]+`(?:, `[\w./-]+`)*$/, `${term} is defined somewhere`);
  }
});

test('every cargo test that a source or a page names exists', () => {
  const crates = join(ROOT, 'src-tauri', 'crates');
  const texts = [...sources(crates), ...FILES.filter(({ name }) => name !== 'CHANGELOG.md')];
  const named = texts.flatMap(({ name, text }) =>
    // A comment may break the line anywhere in a command.
    [
      ...text
        .replaceAll(/\n\s*\/\/[/!]? ?/g, ' ')
        .matchAll(/`(?:RTOSCOPE_\w+=\w+ |INSTA_UPDATE=\w+ )*cargo test ([^`]*)`/g),
    ].map(([, words]) => ({ name, words })),
  );
  assert.ok(named.length > 30);
  const missing = named.filter(({ words }) => {
    const [, crate] = words.match(/-p (\S+)/) ?? [];
    const [, suite, module] = words.match(/--test (\w+)(?: (?!--)(\w+))?/) ?? [];
    if (crate && !existsSync(join(crates, crate))) return true;
    if (!crate || !suite) return Boolean(suite);
    const [one, several] = [join(crates, crate, 'tests', `${suite}.rs`), join(crates, crate, 'tests', suite)];
    if (existsSync(one)) return Boolean(module) && !readFileSync(one, 'utf8').includes(`fn ${module}`);
    return !existsSync(join(several, module ? `${module}.rs` : 'main.rs'));
  });
  assert.deepEqual(missing, []);
});

test('every npm script that a Markdown file names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const unknown = FILES.filter(({ name }) => name !== 'CHANGELOG.md').flatMap(({ name, text }) =>
    [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)]
      .map(([, script]) => script)
      .filter((script) => !(script in scripts))
      .map((script) => `${name}: npm run ${script}`),
  );
  assert.deepEqual(unknown, []);
});

test('the README is short', () => {
  assert.ok(FILES.find(({ name }) => name === 'README.md').text.split('\n').length <= 201);
});
