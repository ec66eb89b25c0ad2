// The package, made with dummy programs: its files, its control data, its desktop entry and file types.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { built } from '../bundle/built.mjs';
import { APP, ARCHITECTURES, settle, stage } from '../bundle/stage.mjs';
import { ROOT, RUST } from '../env.mjs';
import { onPath, read } from '../run.mjs';

function staged(t) {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program');
  // Contains versions of symbols, as a linker writes them.
  writeFileSync(program, '#!/bin/sh\n# \0GLIBC_2.9\0GLIBC_2.34\0');
  chmodSync(program, 0o600);
  const root = join(folder, 'root');
  mkdirSync(root);
  const shell = { bash: '# bash\n', zsh: '#compdef\n', fish: '# fish\n', man: { rtoscope: '.TH rtoscope 1\n' } };
  const files = stage(root, { programs: { app: program, cli: program }, shell, version: '1.2.3', control: true });
  return { folder, root, files };
}

const EXPECTED = [
  ['usr/bin/rtoscope', '-rwxr-xr-x'],
  ['usr/bin/rtoscope-app', '-rwxr-xr-x'],
  [`usr/share/applications/${APP}.desktop`, '-rw-r--r--'],
  ['usr/share/bash-completion/completions/rtoscope', '-rw-r--r--'],
  ['usr/share/fish/vendor_completions.d/rtoscope.fish', '-rw-r--r--'],
  ['usr/share/man/man1/rtoscope.1.gz', '-rw-r--r--'],
  ['usr/share/zsh/vendor-completions/_rtoscope', '-rw-r--r--'],
  ['usr/share/doc/rtoscope/copyright', '-rw-r--r--'],
  ...[128, 256, 32, 512].map((n) => [`usr/share/icons/hicolor/${n}x${n}/apps/${APP}.png`, '-rw-r--r--']),
  [`usr/share/icons/hicolor/scalable/apps/${APP}.svg`, '-rw-r--r--'],
  [`usr/share/mime/packages/${APP}.xml`, '-rw-r--r--'],
];

test('the .deb holds the programs, the desktop entry, icons and file types, owned by root', (t) => {
  if (!onPath('dpkg-deb') || !ARCHITECTURES[process.arch]) {
    return t.skip('needs optional: dpkg-deb');
  }
  const { folder, root } = staged(t);
  const file = join(folder, 'x.deb');
  assert.notEqual(read('dpkg-deb', ['--root-owner-group', '--build', root, file]), null);
  const lines = read('dpkg-deb', ['-c', file])
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([mode]) => !mode.startsWith('d'));
  assert.deepEqual(lines.map(([mode, , , , , path]) => [path.replace(/^\.\//, ''), mode]).sort(), [...EXPECTED].sort());
  assert.ok(lines.every(([, owner]) => owner === 'root/root'));
  const field = (name) => read('dpkg-deb', ['-f', file, name]);
  assert.equal(field('Package'), 'rtoscope');
  assert.equal(field('Version'), '1.2.3');
  assert.match(field('Depends'), /libwebkit2gtk-4\.1-0/);
  assert.match(field('Depends'), /libc6 \(>= 2\.34\)/);
  const sums = read('dpkg-deb', ['-I', file, 'md5sums']);
  assert.match(sums, /^[0-9a-f]{32} {2}usr\/bin\/rtoscope$/m);
});

test('the same tree at another time, under another umask, is the same package', (t) => {
  if (!onPath('dpkg-deb') || !ARCHITECTURES[process.arch]) {
    t.skip('needs optional: dpkg-deb');
    return;
  }
  const seconds = 1_700_000_000;
  const made = [0o022, 0o077].map((mask, n) => {
    const before = process.umask(mask);
    const { folder, root, files } = staged(t);
    process.umask(before);
    // Another time of every file, which packages are not to show.
    for (const file of files) utimesSync(join(root, file), 1_000 * (n + 1), 1_000 * (n + 1));
    settle(root, seconds);
    const path = join(folder, 'x.deb');
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
    const built = spawnSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, path], { env });
    assert.equal(built.status, 0, String(built.stderr));
    return readFileSync(path);
  });
  assert.ok(made[0].equals(made[1]), 'the packages differ');
});

test('a commit is named only where the tree is exactly that', (t) => {
  if (!onPath('git')) {
    t.skip('needs git');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.deepEqual(built(folder, ''), { commit: null, seconds: 315_532_800 }, 'no work tree');
  const git = (...words) => read('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...words]);
  git('init', '-q');
  writeFileSync(join(folder, 'a'), 'a');
  git('add', 'a');
  git('commit', '-q', '-m', 'a', '--date', '@1700000000');
  const { commit, seconds } = built(folder, '');
  assert.equal(commit, git('rev-parse', 'HEAD'));
  assert.equal(seconds, Number(git('log', '-1', '--format=%ct')));
  assert.equal(built(folder, '7').seconds, 7);
  writeFileSync(join(folder, 'a'), 'b');
  assert.equal(built(folder, '').commit, null, 'it has changes');
});

test('the desktop entry starts the app with the files it is given', (t) => {
  const { root } = staged(t);
  const path = join(root, `usr/share/applications/${APP}.desktop`);
  const entry = Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  assert.equal(entry.Exec, 'rtoscope-app %F');
  assert.equal(entry.Icon, APP);
  assert.equal(entry.Terminal, 'false');
  for (const type of ['application/vnd.tcpdump.pcap', 'application/x-pcapng', 'application/vnd.rtoscope.session+json'])
    assert.ok(entry.MimeType.split(';').includes(type), type);
  if (onPath('desktop-file-validate')) assert.equal(read('desktop-file-validate', [path]), '');
  else console.log('desktop-file-validate is not on this machine: the entry was compared with what we expect only');
  const { identifier, mainBinaryName } = JSON.parse(readFileSync(join(RUST, 'tauri.conf.json'), 'utf8'));
  assert.equal(identifier, APP);
  assert.equal(mainBinaryName, entry.Exec.split(' ')[0]);
});

test('the shared MIME database accepts the file types', (t) => {
  if (!onPath('update-mime-database')) {
    return t.skip('needs optional: update-mime-database');
  }
  const { root } = staged(t);
  const base = join(root, 'usr/share/mime');
  assert.notEqual(read('update-mime-database', [base]), null);
  assert.match(
    readFileSync(join(base, 'globs2'), 'utf8'),
    /^80:application\/vnd\.rtoscope\.session\+json:\*\.rtoscope\.json$/m,
  );
  assert.ok(existsSync(join(base, 'application', 'x-pcapng.xml')));
});

test('the version of the package is that of the programs', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.match(readFileSync(join(RUST, 'Cargo.toml'), 'utf8'), new RegExp(`^version = "${version}"$`, 'm'));
});
