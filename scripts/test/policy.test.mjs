// The window's permissions: its own page, its own commands, two file dialogs. A wider permission must be changed here
// too.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RUST } from '../env.mjs';
import { read } from '../run.mjs';

const json = (path) => JSON.parse(readFileSync(join(RUST, path), 'utf8'));

test('the page loads nothing but itself and talks to the core only', () => {
  const { csp, capabilities, dangerousDisableAssetCspModification, assetProtocol } =
    json('tauri.conf.json').app.security;
  assert.deepEqual(csp, {
    'default-src': "'self'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    // Tauri's own two ways from the page to the core; neither leaves the process.
    'connect-src': "'self' ipc: http://ipc.localhost",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
  });
  assert.deepEqual(capabilities, ['main']);
  assert.equal(dangerousDisableAssetCspModification, undefined);
  assert.equal(assetProtocol, undefined);
});

test('there is one capability, with nothing that reads, writes, starts or asks the network', () => {
  assert.deepEqual(readdirSync(join(RUST, 'capabilities')), ['main.json']);
  const { permissions, windows, remote } = json('capabilities/main.json');
  assert.deepEqual(permissions, [
    'core:event:allow-listen',
    'core:event:allow-unlisten',
    'dialog:allow-open',
    'dialog:allow-save',
  ]);
  assert.deepEqual(windows, ['main']);
  assert.equal(remote, undefined);
});

test('no plugin but the dialogs is linked, and nothing that speaks HTTP', () => {
  // The tree of what is compiled: Cargo.lock also has features that are off.
  const tree = read('cargo', ['tree', '--offline', '--locked', '-e', 'normal', '--prefix', 'none', '-f', '{p}'], {
    cwd: RUST,
    maxBuffer: 1 << 24,
  });
  const names = new Set(tree.split('\n').map((line) => line.split(' ')[0]));
  assert.ok(names.has('tauri') && names.has('tauri-plugin-dialog'), 'the tree is that of the app');
  assert.deepEqual(
    [...names].filter((name) => /^tauri-plugin-(?!dialog$|fs$)/.test(name)),
    [],
  );
  assert.deepEqual(
    [...names].filter((name) => /^(reqwest|hyper|ureq|curl|isahc|rustls|native-tls|openssl)$/.test(name)),
    [],
  );
});
