// `npm run figure` with the built command line: arguments, the drawing of the page in Node, a file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ENV, ROOT, UI } from '../../env.mjs';
import { asked, drawing } from '../../figure.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rtoscope-figure-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const figure = (...args) => {
  const argv = [join(ROOT, 'scripts', 'enter.cjs'), 'figure', ...args];
  return spawnSync(process.execPath, argv, { cwd: folder, env: ENV, encoding: 'utf8' });
};

test('arguments are those of the command line, but for width and file', () => {
  assert.deepEqual(asked(['winners', 'rows', '--out=w.svg', '--width', '88', '--measure', 'spurious_all']), {
    words: ['study', 'figure', 'winners', 'rows', '--measure', 'spurious_all', '--format', 'json'],
    wide: '88',
    out: 'w.svg',
  });
  assert.deepEqual(asked(['rto_box', 'a=b.pcap']), {
    words: ['figure', 'rto_box', 'a=b.pcap', '--format', 'json'],
    wide: '180',
    out: null,
  });
  for (const args of [
    [],
    ['winners', '--width', '90'],
    ['winners', '--out', 'a.pcap'],
    ['winners', '--out'],
    ['winners', '--format', 'csv'],
  ])
    assert.throws(() => asked(args), { name: 'Stop' }, args.join(' '));
});

test('every recipe is the picture of the page, in the colours of its tokens', async () => {
  const { figureFile } = await drawing();
  const golden = join(UI, 'src', 'plot', 'figure', 'golden');
  const recipes = Object.entries(JSON.parse(readFileSync(join(golden, 'recipes.json'), 'utf8')));
  const tokens = readFileSync(join(UI, 'src', 'tokens.css'), 'utf8');
  const colour = (token) => new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}),`).exec(tokens)[1];
  assert.ok(recipes.length > 10);
  for (const [recipe, view] of recipes) {
    // Kept pictures have the names of tokens in the place of colours.
    const kept = readFileSync(join(golden, `recipe-${recipe}.svg`), 'utf8');
    assert.equal(
      figureFile(view, '180'),
      kept.replaceAll(/"#([a-z][a-z0-9-]*)"/g, (_, token) => `"${colour(token)}"`),
    );
  }
});

test('a figure of a capture is a file, and another command line ends as the command line does', () => {
  const drawn = figure('rto_box', 'sample:live-sleepy-default', '--out', 'box.svg', '--width', '88');
  assert.equal(drawn.status, 0, drawn.stderr);
  assert.equal(drawn.stdout, '');
  const svg = readFileSync(join(folder, 'box.svg'), 'utf8');
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="333" /);
  assert.ok(!/NaN|undefined|currentColor/.test(svg), svg);
  assert.equal(figure('rto_box', 'sample:live-sleepy-default', '--width', '88').stdout, svg);
  const wrong = figure('no_such_figure', 'sample:live-sleepy-default', '--out', 'none.svg');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /no_such_figure/);
  assert.deepEqual(readdirSync(folder), ['box.svg']);
});
