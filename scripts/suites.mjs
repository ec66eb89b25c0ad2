// Suites of `npm test`, in order: quick ones first; the page before Rust, because the app embeds it. A new suite is a
// new entry. `needs` are entries of needs.mjs. `count` is a reader of count.mjs; without one the command itself is the
// test, and exit code 0 is one passed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, RUST, UI, cargoBuild } from './env.mjs';

const cargo = (...args) => ({ argv: ['cargo', ...args], cwd: RUST, rust: true });
const node = (cwd, ...args) => ({ argv: [process.execPath, ...args], cwd });
const script = (name, ...args) => node(ROOT, 'scripts/enter.cjs', name, ...args);
const tool = (cwd, path, ...args) => node(cwd, join(ROOT, 'node_modules', path), ...args);
const vitest = (project) => tool(UI, 'vitest/vitest.mjs', 'run', '--project', project);
const nodeTests = (...folders) => {
  const files = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)));
  return node(ROOT, '--test', '--test-reporter=spec', ...files.filter((name) => name.endsWith('.test.mjs')));
};

/** @type {Suite[]} */
export const SUITES = [
  {
    id: 'entrance',
    what: 'set-up, this runner, and the links of all Markdown',
    in: ['test'],
    count: 'node',
    rust: true,
    ...nodeTests('scripts/test'),
  },
  { id: 'fmt', what: 'cargo fmt', in: ['test', 'check'], needs: ['rustfmt'], ...cargo('fmt', '--all', '--check') },
  { id: 'prettier', what: 'prettier', in: ['test'], ...tool(ROOT, 'prettier/bin/prettier.cjs', '--check', '.') },
  {
    id: 'svelte-check',
    what: 'types of the page',
    in: ['test', 'check'],
    ...tool(UI, 'svelte-check/bin/svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'),
  },
  {
    id: 'eslint',
    what: 'lints of the page and of these scripts',
    in: ['test', 'check'],
    ...tool(
      ROOT,
      'eslint/bin/eslint.js',
      '--config',
      'ui/eslint.config.js',
      '--max-warnings=0',
      'ui',
      'scripts',
      'wireshark',
      'firmware-sniffer',
    ),
  },
  { id: 'vitest', what: 'the page’s parts', in: ['test', 'check'], count: 'vitest', ...vitest('unit') },
  {
    id: 'tshark',
    what: 'expected dissections, against the installed tshark',
    in: ['test'],
    needs: ['tshark'],
    ...script('generate/traces', '--check'),
  },
  {
    id: 'compare',
    what: 'the tool that compares with tshark',
    in: ['test'],
    count: 'node',
    ...nodeTests('wireshark/compare/test'),
  },
  {
    id: 'wireshark',
    what: 'the dissector, in the installed tshark',
    in: ['test'],
    count: 'node',
    needs: ['tshark'],
    ...nodeTests('wireshark/test'),
  },
  {
    id: 'firmware',
    what: 'the sniffer firmware’s core, on this machine',
    in: ['test', 'check'],
    count: 'tap',
    needs: ['make'],
    ...script('../firmware-sniffer/firmware', 'unit'),
  },
  {
    id: 'firmware:image',
    what: 'the sniffer firmware’s images for the nRF52840, in an emulator',
    in: ['test'],
    count: 'tap',
    needs: ['make', 'arm-none-eabi-gcc', 'python3-venv'],
    ...script('../firmware-sniffer/firmware', 'image'),
  },
  {
    id: 'firmware:cc2531',
    what: 'the sniffer firmware’s image for the CC2531, in an emulator',
    in: ['test'],
    count: 'cargo',
    rust: true,
    needs: ['make', 'sdcc', 'python3-venv', 'rustfmt', 'clippy'],
    ...script('../firmware-sniffer/firmware', 'cc2531'),
  },
  { id: 'page', what: 'vite build', in: ['test', 'check', 'e2e', 'e2e:app'], ...script('page') },
  {
    id: 'cargo',
    what: 'tests of the Rust crates',
    in: ['test', 'check'],
    count: 'cargo',
    after: ['page'],
    ...cargo('test', '--release', '--locked', '--workspace', '--no-fail-fast'),
  },
  { id: 'gen', what: 'generated types', in: ['test', 'check'], rust: true, ...script('generate/types', '--check') },
  {
    id: 'clippy',
    what: 'lints of the Rust crates',
    in: ['test', 'check'],
    needs: ['clippy'],
    after: ['page'],
    ...cargo('clippy', '--release', '--locked', '--workspace', '--all-targets', '--', '-D', 'warnings'),
  },
  {
    id: 'app',
    what: 'the app and the CLI, as shipped',
    in: ['test', 'e2e:app'],
    rust: true,
    after: ['page'],
    ...cargo(...cargoBuild('rtoscope-app', 'rtoscope')),
  },
  {
    id: 'study',
    what: 'numbers and figures of the case study',
    in: ['test'],
    rust: true,
    after: ['app'],
    ...script('generate/study', '--check'),
  },
  {
    id: 'figure',
    what: 'figures as SVG, without a window',
    in: ['test'],
    count: 'node',
    rust: true,
    after: ['app'],
    ...nodeTests('scripts/test/built'),
  },
  {
    id: 'python',
    what: 'the Python package: its wheel, in a virtual environment',
    in: ['test'],
    count: 'pytest',
    rust: true,
    needs: ['python3-venv'],
    after: ['app'],
    ...script('python', 'test'),
  },
  {
    id: 'live',
    what: 'live capture, from simulated sniffers to exchanges',
    in: ['test'],
    count: 'tap',
    needs: ['make', 'arm-none-eabi-gcc', 'python3-venv', 'tshark'],
    after: ['app'],
    ...script('../firmware-sniffer/firmware', 'live'),
  },
  {
    id: 'fixtures',
    what: 'bytes recorded for the page',
    in: ['test', 'e2e'],
    rust: true,
    ...script('fixtures'),
  },
  {
    id: 'e2e',
    what: 'the page in Chromium',
    in: ['test', 'e2e'],
    count: 'vitest',
    needs: ['chromium'],
    after: ['page', 'fixtures'],
    ...vitest('e2e'),
  },
  {
    id: 'e2e:app',
    what: 'the app under Xvfb',
    in: ['test', 'e2e:app'],
    count: 'vitest',
    needs: ['Xvfb', 'WebKitWebDriver'],
    after: ['app'],
    ...vitest('app'),
  },
];

/**
 * @typedef {object} Suite
 * @property {string} id its name on the command line: `npm test -- cargo vitest`
 * @property {string} what its subject, for the person who reads the log
 * @property {string[]} in the npm scripts that run it
 * @property {string[]} argv
 * @property {string} cwd
 * @property {boolean} [rust] needs cargo and the system libraries
 * @property {string[]} [needs] needs without which the suite is skipped
 * @property {string[]} [after] suites it builds on; where one of them has failed, so has this
 * @property {'cargo' | 'node' | 'pytest' | 'tap' | 'vitest'} [count]
 */
