// Search for programs, and their running.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as os } from 'node:os';
import { delimiter, join } from 'node:path';
import { ENV, PATH } from './env.mjs';

/** Full path of a program on the search path; null where it is not there. */
export function onPath(name, path = PATH) {
  for (const dir of path.split(delimiter).filter(Boolean)) {
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not here
    }
  }
  return null;
}

/** Standard output of a short command, without white space at its ends; null where it fails or does not exist. */
export function read(command, args, options = {}) {
  const run = spawnSync(command, args, { encoding: 'utf8', env: ENV, stdio: ['ignore', 'pipe', 'ignore'], ...options });
  return run.status === 0 ? run.stdout.trim() : null;
}

/** Exit code of a child as a shell gives it: its own, or 128 plus the number of the signal. */
export const exitCode = (code, signal) => code ?? 128 + (os.signals[signal] ?? 0);

/**
 * Runs a command with the streams of this process and resolves to its exit code; rejects where it cannot be started.
 * Ctrl-C reaches the whole foreground group: the child ends in its own way, and this process only waits for it.
 */
export function run(command, args, options = {}) {
  const wait = () => {};
  process.on('SIGINT', wait);
  return new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit', env: ENV, ...options })
      .on('error', reject)
      .on('exit', (code, signal) => resolve(exitCode(code, signal)));
  }).finally(() => process.off('SIGINT', wait));
}

/** Command and arguments that run npm: the one that started this process, or the one on the PATH. */
export const npm = (...args) =>
  process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, [process.env.npm_execpath, ...args]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];

/** An expected end, with a message for the user; enter.cjs prints it without a stack trace. */
export class Stop extends Error {
  name = 'Stop';
}
