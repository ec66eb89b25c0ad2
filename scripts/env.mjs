// Paths of the clone and of the build, and the environment of every child process.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the clone. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Folder of the Rust workspace. */
export const RUST = join(ROOT, 'src-tauri');
/** Folder of the page. */
export const UI = join(ROOT, 'ui');
/** Whether nobody can be asked: variable CI is `true`. */
export const CI = process.env.CI === 'true';

/**
 * Recorded runs and captures of others, which are not part of the repository. The crate `needs` looks in the same
 * place.
 */
export const SHARED = process.env.RTOSCOPE_SHARED || join(ROOT, '..', 'shared');

/** Cargo's target folder. It is outside the clone, so that `git clean` and a second clone keep what is compiled. */
export const TARGET =
  process.env.CARGO_TARGET_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rtoscope', 'target');

/** Path of a program that a finished build has written. */
export const binary = (name) => join(TARGET, 'release', name + (process.platform === 'win32' ? '.exe' : ''));

// rustup changes the login profile only, so a shell opened before has no cargo on its PATH.
const cargoBin = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'bin');
const path = process.env.PATH ?? '';
/** Search path for programs, with cargo's folder. */
export const PATH =
  existsSync(cargoBin) && !path.split(delimiter).includes(cargoBin) ? `${path}${delimiter}${cargoBin}` : path;

/** Environment of child processes. */
export const ENV = { ...process.env, PATH, CARGO_TARGET_DIR: TARGET };

/** Folder in which the command was typed: npm changes to the clone before it runs a script. */
export const typedIn = (script) =>
  process.env.npm_lifecycle_event === script ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();

/**
 * Arguments of cargo that build programs. `--workspace --bin X` and never `-p X`: cargo unifies features over the
 * selected packages, so `-p` would compile serde, and with it Polars, a second time. Only dependencies of X are built.
 */
export const cargoBuild = (...programs) => [
  ...['build', '--release', '--locked', '--workspace'],
  ...programs.flatMap((name) => ['--bin', name]),
];
