// Where things are and what every child process gets to see. The one place that knows.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const RUST = join(ROOT, 'src-tauri');
export const UI = join(ROOT, 'ui');
export const CI = process.env.CI === 'true';

/** Outside the clone: a second clone, a `git clean` or a container volume keeps what is compiled. */
export const TARGET =
  process.env.CARGO_TARGET_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rtoscope', 'target');

/** What a finished build leaves behind. */
export const binary = (name) => join(TARGET, 'release', name + (process.platform === 'win32' ? '.exe' : ''));

// rustup writes to the login profile; a shell opened before that does not have cargo on its PATH.
const cargoBin = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'bin');
const path = process.env.PATH ?? '';
export const PATH =
  existsSync(cargoBin) && !path.split(delimiter).includes(cargoBin) ? `${path}${delimiter}${cargoBin}` : path;

export const ENV = { ...process.env, PATH, CARGO_TARGET_DIR: TARGET };

/** Where the person typed the command: npm moves to the clone before it runs a script. */
export const typedIn = (script) =>
  process.env.npm_lifecycle_event === script ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();

/**
 * `--workspace --bin X`, never `-p X`: cargo unifies features over the selected packages, so `-p` would compile
 * serde, and with it Polars, a second time. Only what X needs is built; the CLI needs no WebKit.
 */
export const cargoBuild = (bin) => ['build', '--release', '--locked', '--workspace', '--bin', bin];
