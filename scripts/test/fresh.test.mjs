import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { differences } from '../generate/types.mjs';
import { fresh } from '../page.mjs';
import { installed } from '../setup.mjs';

function folder(t, files) {
  const root = mkdtempSync(join(tmpdir(), 'rtoscope-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

test('node packages are installed when every one of the lock file is there in its version', () => {
  const lock = {
    packages: {
      '': {},
      ui: { version: '0.1.0' },
      'node_modules/ui': { resolved: 'ui', link: true },
      'node_modules/vite': { version: '8.3.8' },
      'node_modules/only-on-windows': { version: '1.0.0', optional: true },
    },
  };
  const hidden = (vite) => ({ packages: { 'node_modules/vite': { version: vite } } });
  assert.ok(installed(lock, hidden('8.3.8')));
  assert.ok(!installed(lock, hidden('8.3.7')));
  assert.ok(!installed(lock, { packages: {} }));
});

test('the page is fresh until one of its sources is newer', (t) => {
  const root = folder(t, { 'dist/index.html': '', 'src/deep/App.svelte': '' });
  const source = join(root, 'src');
  const date = (path, seconds) => utimesSync(join(root, path), seconds, seconds);
  for (const path of ['src/deep/App.svelte', 'src/deep', 'src']) date(path, 1000);
  date('dist/index.html', 2000);
  assert.ok(fresh(join(root, 'dist/index.html'), [source, join(root, 'absent')]));
  date('src/deep/App.svelte', 3000);
  assert.ok(!fresh(join(root, 'dist/index.html'), [source]));
  assert.ok(!fresh(join(root, 'dist/absent.html'), [source]));
});

test('generated types are compared file by file, in both directions', (t) => {
  const left = folder(t, { 'a.ts': '1', 'deep/b.ts': '2', 'gone.ts': '3' });
  const right = folder(t, { 'a.ts': '1', 'deep/b.ts': 'changed', 'new.ts': '4' });
  assert.deepEqual(differences(left, right), ['deep/b.ts', 'gone.ts', 'new.ts']);
  assert.deepEqual(differences(left, left), []);
});
