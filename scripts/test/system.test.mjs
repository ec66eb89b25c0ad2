import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILD, TEST } from '../needs.mjs';
import { managerOf, osRelease, plan } from '../system.mjs';

const DEBIAN = osRelease('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n');
const UBUNTU = osRelease('PRETTY_NAME="Ubuntu 22.04.5 LTS"\nID=ubuntu\nID_LIKE=debian\n');
const FEDORA = osRelease('PRETTY_NAME="Fedora Linux 43 (Workstation Edition)"\nID=fedora\n');
const ARCH = osRelease('PRETTY_NAME="Arch Linux"\nID=arch\n');
const OTHER = osRelease('PRETTY_NAME="Void Linux"\nID="void"\n');

const machine = (system, more) => ({ system, root: false, sudo: false, rustup: true, lists: true, ...more });
const need = (id) => [...BUILD, ...TEST].find((entry) => entry.id === id);
const GTK = need('gtk+-3.0');

test('a system is known by its name or by what it is like', () => {
  assert.equal(managerOf(DEBIAN), 'apt');
  assert.equal(managerOf(osRelease('ID=linuxmint\nID_LIKE="ubuntu debian"\n')), 'apt');
  assert.equal(managerOf(osRelease('ID="rocky"\nID_LIKE="rhel centos fedora"\n')), 'dnf');
  assert.equal(managerOf(osRelease('ID=manjaro\nID_LIKE=arch\n')), 'pacman');
  assert.equal(managerOf(OTHER), null);
  assert.equal(managerOf(osRelease('')), null);
});

test('root on Debian installs, after fetching package lists that are not there', () => {
  const { install } = plan([GTK], machine(DEBIAN, { root: true, lists: false }));
  assert.deepEqual(
    install.map((step) => step.say),
    ['apt-get update', 'apt-get install --no-install-recommends libgtk-3-dev'],
  );
  for (const { argv } of install) assert.ok(argv.includes('DEBIAN_FRONTEND=noninteractive'), argv.join(' '));
});

test('package lists that are there are fetched again only when the installation fails', () => {
  const { install } = plan([GTK], machine(DEBIAN, { root: true }));
  assert.equal(install.length, 1);
  assert.equal(install[0].refresh.at(-1), 'update');
});

test('sudo runs without a password prompt', () => {
  const { install } = plan([GTK], machine(UBUNTU, { sudo: true }));
  assert.deepEqual(install[0].argv.slice(0, 3), ['sudo', '-n', 'env']);
});

test('without rights nothing is installed and one command is named', () => {
  const commands = (system, more) => {
    const result = plan([GTK, need('webkit2gtk-4.1')], machine(system, more));
    assert.deepEqual(result.install, []);
    return result.commands;
  };
  assert.deepEqual(commands(DEBIAN), [
    'sudo apt-get update && sudo apt-get install -y --no-install-recommends libgtk-3-dev libwebkit2gtk-4.1-dev',
  ]);
  assert.deepEqual(commands(FEDORA), ['sudo dnf install -y gtk3-devel webkit2gtk4.1-devel']);
  assert.deepEqual(commands(FEDORA, { root: true }), ['dnf install -y gtk3-devel webkit2gtk4.1-devel']);
  assert.deepEqual(commands(ARCH), ['sudo pacman -S --needed gtk3 webkit2gtk-4.1']);
  const lines = commands(OTHER);
  assert.equal(lines.length, 3);
  for (const manager of ['apt-get', 'dnf', 'pacman']) {
    assert.ok(
      lines.some((line) => line.includes(manager)),
      manager,
    );
  }
});

test('every missing need has its reason', () => {
  const { why } = plan(BUILD, machine(DEBIAN));
  assert.equal(why.length, BUILD.length);
  assert.match(why.join('\n'), /gtk\+-3\.0 +GTK 3/);
});

test('Ubuntu gets a Chromium that is not a snap', () => {
  const ubuntu = plan([need('chromium'), need('Xvfb')], machine(UBUNTU, { root: true }));
  assert.ok(ubuntu.install.some((step) => step.say.includes('playwright-core')));
  assert.ok(!ubuntu.install.some((step) => /apt-get install.*chromium/.test(step.say)));
  assert.match(ubuntu.why[0], /snap/);
  const debian = plan([need('chromium'), need('Xvfb')], machine(DEBIAN, { root: true }));
  assert.match(debian.install[0].say, /chromium xvfb$/);
});

test('parts of the Rust toolchain come from rustup, on any system', () => {
  const { install } = plan([need('clippy'), need('rustfmt')], machine(FEDORA));
  assert.deepEqual(install.at(-1).argv, ['rustup', 'component', 'add', 'clippy', 'rustfmt']);
  assert.deepEqual(plan([need('clippy')], machine(FEDORA, { rustup: false })).install, []);
});

test('every need says why, and how to get it everywhere', () => {
  for (const entry of [...BUILD, ...TEST]) {
    assert.ok(entry.why.length > 10, entry.id);
    assert.ok(entry.rustup || (entry.apt && entry.dnf && entry.pacman), entry.id);
  }
});
