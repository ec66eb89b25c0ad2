// The Rust core in a process of its own, called over pipes (crates/api/benches/serve.rs), and the page's Tauri played
// on it.
import { spawn } from 'node:child_process';
import type { Page } from 'playwright-core';
import { peakOf } from './processes';

/** A reply: its kind (`json`, `arrow` or `error`) and its octets. */
interface Answer {
  kind: string;
  octets: Buffer;
}

/** A core that runs. */
export interface Core {
  /** Sends a request, JSON; replies come in order. */
  ask(name: string, request: string): Promise<Answer>;
  /** Most memory that it has held, MiB. */
  peak(): number;
  end(): void;
}

/** Starts the core at a path. */
export function core(binary: string): Core {
  const child = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((answer: Answer) => void)[] = [];
  let held = Buffer.alloc(0);
  child.stdout.on('data', (more: Buffer) => {
    held = Buffer.concat([held, more]);
    for (;;) {
      const line = held.indexOf('\n');
      if (line < 0) return;
      const [kind = '', length = ''] = held.toString('utf8', 0, line).split(' ');
      const end = line + 1 + Number(length);
      if (held.length < end) return;
      waiting.shift()?.({ kind, octets: held.subarray(line + 1, end) });
      held = held.subarray(end);
    }
  });
  return {
    ask: (name, request) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${name} ${request}\n`);
      }),
    peak: () => peakOf(child.pid ?? 0),
    end: () => void child.kill(),
  };
}

const CALL = '/core';

/**
 * Gives the page an imitation of Tauri, whose calls are answered by `core`, octets as octets. `files` are the captures
 * that the program was started with.
 */
export async function connect(page: Page, core: Core, files: string[]): Promise<void> {
  await page.route(`**${CALL}`, async (route) => {
    const { name, request } = route.request().postDataJSON() as { name: string; request: unknown };
    const { kind, octets } = await core.ask(name, JSON.stringify(request));
    await route.fulfill({ body: octets, headers: { 'x-kind': kind } });
  });
  await page.addInitScript(
    ([path, opened]) => {
      const invoke = async (command: string, args: Record<string, unknown>) => {
        if (command === 'opened_with') return opened;
        if (command !== 'call') return null;
        const reply = await fetch(path, { method: 'POST', body: JSON.stringify(args) });
        const kind = reply.headers.get('x-kind');
        if (kind === 'arrow') return reply.arrayBuffer();
        const said: unknown = await reply.json();
        // Same contract as Tauri's: what the command returned as an error is what the promise rejects with.
        if (kind === 'error') throw said;
        return said;
      };
      const internals = {
        invoke,
        transformCallback: () => 0,
        metadata: { currentWindow: { label: 'main' }, currentWebview: { windowLabel: 'main', label: 'main' } },
      };
      Object.assign(window, { __TAURI_INTERNALS__: internals });
    },
    [CALL, files] as const,
  );
}
