// Programs and libraries that must be on the machine, with a check for each and its package in each distribution.
// The list is what the build scripts of our dependencies probe (`cargo tree`, [package.metadata.system-deps]). librsvg,
// libxdo, libappindicator and OpenSSL belong to features of Tauri that are off.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, RUST } from './env.mjs';
import { onPath, read } from './run.mjs';

const module = (name, atLeast) => () => read('pkg-config', ['--exists', `${name} >= ${atLeast}`]) !== null;
const program =
  (...names) =>
  () =>
    names.some((name) => onPath(name));

/** Needed to build and to run. @type {Need[]} */
export const BUILD = [
  {
    id: 'cc',
    why: 'a C compiler: zstd and lz4 are compiled from source, and rustc links with cc',
    found: program('cc'),
    apt: ['build-essential'],
    dnf: ['gcc', 'gcc-c++', 'make'],
    pacman: ['base-devel'],
  },
  {
    id: 'pkg-config',
    why: 'the build finds GTK and WebKitGTK with it',
    found: program('pkg-config'),
    apt: ['pkg-config'],
    dnf: ['pkgconf-pkg-config'],
    pacman: ['pkgconf'],
  },
  {
    id: 'gtk+-3.0',
    why: 'GTK 3.24: the window and the file dialogs',
    found: module('gtk+-3.0', '3.24'),
    apt: ['libgtk-3-dev'],
    dnf: ['gtk3-devel'],
    pacman: ['gtk3'],
  },
  {
    id: 'webkit2gtk-4.1',
    why: 'WebKitGTK 2.46: the page inside the window (brings JavaScriptCore and libsoup 3)',
    // The crates ask for 2.40; the page's light-dark() colours came with 2.46.
    found: () =>
      [
        ['webkit2gtk-4.1', '2.46'],
        ['javascriptcoregtk-4.1', '2.46'],
        ['libsoup-3.0', '3.0'],
      ].every(([name, atLeast]) => module(name, atLeast)()),
    apt: ['libwebkit2gtk-4.1-dev'],
    dnf: ['webkit2gtk4.1-devel'],
    pacman: ['webkit2gtk-4.1'],
  },
];

/** Needed by some suites of `npm test` only. @type {Need[]} */
export const TEST = [
  {
    id: 'rustfmt',
    why: 'the formatting of the Rust sources is checked',
    found: () => read('cargo', ['fmt', '--version'], { cwd: RUST }) !== null,
    rustup: 'rustfmt',
  },
  {
    id: 'clippy',
    why: 'the lints of the Rust sources are checked',
    found: () => read('cargo', ['clippy', '--version'], { cwd: RUST }) !== null,
    rustup: 'clippy',
  },
  {
    id: 'tshark',
    why: 'our dissection is compared with Wireshark’s',
    found: program('tshark'),
    apt: ['tshark'],
    dnf: ['wireshark-cli'],
    pacman: ['wireshark-cli'],
  },
  {
    id: 'make',
    why: 'the sniffer firmware is built with it',
    found: program('make'),
    apt: ['make'],
    dnf: ['make'],
    pacman: ['make'],
  },
  {
    id: 'arm-none-eabi-gcc',
    why: 'the compiler of the sniffer firmware for the nRF52840',
    found: program('arm-none-eabi-gcc'),
    apt: ['gcc-arm-none-eabi'],
    dnf: ['arm-none-eabi-gcc-cs'],
    pacman: ['arm-none-eabi-gcc'],
  },
  {
    id: 'sdcc',
    why: 'the compiler of the sniffer firmware for the CC2531',
    found: program('sdcc'),
    apt: ['sdcc'],
    dnf: ['sdcc'],
    pacman: ['sdcc'],
  },
  {
    id: 'python3-venv',
    why: 'what tests need of Python is installed in a folder of its own',
    found: () => read('python3', ['-c', 'import ensurepip, venv']) !== null,
    apt: ['python3-venv'],
    dnf: ['python3'],
    pacman: ['python'],
  },
  {
    id: 'chromium',
    why: 'the page is tested in Chromium',
    found: () => chromium() !== null,
    apt: ['chromium'],
    dnf: ['chromium'],
    pacman: ['chromium'],
    // Ubuntu's package is a snap, which sees neither our profile nor the page under test.
    ubuntu: {
      command: ['node', 'node_modules/playwright-core/cli.js', 'install', '--with-deps', '--no-shell', 'chromium'],
      note: 'Ubuntu ships Chromium as a snap, which cannot be driven: Playwright’s build goes to ~/.cache/ms-playwright',
    },
  },
  {
    id: 'Xvfb',
    why: 'the app is tested on a display without a screen',
    found: program('Xvfb'),
    apt: ['xvfb'],
    dnf: ['xorg-x11-server-Xvfb'],
    pacman: ['xorg-server-xvfb'],
  },
  {
    id: 'WebKitWebDriver',
    why: 'the app’s window is driven through WebDriver',
    found: program('WebKitWebDriver'),
    apt: ['webkit2gtk-driver'],
    dnf: ['/usr/bin/WebKitWebDriver'],
    pacman: ['webkitgtk-6.0'],
  },
];

/** Path of the Chromium for the tests, on the PATH or installed by Playwright; null where there is none. */
export function chromium() {
  for (const name of ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser']) {
    const file = onPath(name);
    if (file && !isSnap(file)) return file;
  }
  try {
    const require = createRequire(join(ROOT, 'ui', 'package.json'));
    const file = require('playwright-core').chromium.executablePath();
    return existsSync(file) ? file : null;
  } catch {
    return null; // node packages are not installed yet
  }
}

/** Whether a program is Ubuntu's `chromium-browser`, a shell script that starts the snap. */
const isSnap = (file) =>
  file.startsWith('/snap/') || (statSync(file).size < 8192 && readFileSync(file, 'utf8').includes('/snap/'));

/**
 * @typedef {object} Need
 * @property {string} id
 * @property {string} why
 * @property {() => boolean} found
 * @property {string[]} [apt]
 * @property {string[]} [dnf]
 * @property {string[]} [pacman]
 * @property {string} [rustup] a component of the Rust toolchain
 * @property {{ command: string[], note: string }} [ubuntu] instead of the apt package, on Ubuntu
 */
