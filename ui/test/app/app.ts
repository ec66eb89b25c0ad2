// The shipped binary on a display of its own, driven through WebKitWebDriver. Everything started here is ended here.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TARGET } from '../../../scripts/env.mjs';
import { Session } from './webdriver';

/** A running app under WebDriver. */
export interface App {
  session: Session;
  /** Process ID of WebKitWebDriver, which started it. */
  driver: number;
  /** Ends the app, its driver and its display, and removes its home. */
  close(): Promise<void>;
}

/**
 * Starts the app as `npm start -- ARGS` does, with an empty home for the files that it stores. Rejects where a program
 * is missing or the app does not start.
 */
export const start = (...args: string[]): Promise<App> => startWith({}, ...args);

/** Starts as {@link start} does, with further variables of the environment. */
export async function startWith(variables: NodeJS.ProcessEnv, ...args: string[]): Promise<App> {
  const home = mkdtempSync(join(tmpdir(), 'rtoscope-'));
  const display = await startDisplay();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${String(port)}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DISPLAY: display.name,
      GDK_BACKEND: 'x11',
      // The same on every machine: the processor draws, so that the app has WebKit do it without GL
      // (src-tauri/src/drawing.rs).
      LIBGL_ALWAYS_SOFTWARE: '1',
      // tauri-driver sets it so: the webview then accepts WebDriver's session.
      TAURI_WEBVIEW_AUTOMATION: 'true',
      NO_AT_BRIDGE: '1',
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      ...variables,
    },
  });
  const end = async () => {
    await stop(driver);
    await stop(display.process);
    await remove(home);
  };
  try {
    const binary = join(TARGET, 'release', 'rtoscope-app');
    const session = await Session.create(`http://127.0.0.1:${String(port)}`, { binary, args });
    const close = async () => {
      await session.delete().catch(() => undefined);
      await end();
    };
    return { session, driver: driver.pid ?? 0, close };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Removes a folder, up to 100 times: the web process may still write its caches when the driver has gone. */
async function remove(folder: string): Promise<void> {
  for (let left = 100; ; left -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Starts Xvfb on the first free display; returns the display's name, such as `:1`. */
async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    let said = '';
    (xvfb.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('\n')) resolve(said.trim());
    });
    xvfb.on('error', reject).on('exit', (code) => {
      reject(new Error(`Xvfb ended with ${String(code)}`));
    });
  });
  return { name: `:${number}`, process: xvfb };
}

/** A port of the loopback interface that is free at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => {
          if (typeof address === 'object' && address !== null) resolve(address.port);
        });
      });
  });
}

/** Ends a process and waits for its end. */
function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.on('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}
