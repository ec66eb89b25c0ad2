// The backend of tests and of `npm run dev`: replies recorded from the Rust core by `npm run fixtures`, and a log of
// the requests.
import { decode, type ColumnMap } from '../../src/ipc/arrow';
import {
  Failure,
  type Backend,
  type CallOptions,
  type CommandName,
  type DropEvent,
  type Picked,
  type Reply,
  type Request,
} from '../../src/ipc/backend';
import { canonical } from '../../src/ipc/canonical';
import { ARROW } from '../../src/ipc/gen/commands';
import { nearest, type Fields } from './nearest';

/**
 * `index.json` of the fixtures: from `NAME CANONICAL-REQUEST` to a file beside it, `*.json`, `*.arrow`, or
 * `*.error.json` (`{code, message, detail, at}`). Canonical is JSON with sorted keys and without null members.
 */
type Index = Record<string, string>;
type Recorded = { request: Fields; file: string };

/** A call of the page, for tests to assert. */
export interface Sent {
  name: CommandName;
  request: unknown;
}

declare global {
  /** Calls since the page was opened, the oldest first. */
  var sent: Sent[] | undefined;
}

/** Paths that the open dialog gives: no dialog opens here. The file of presets has mistakes, which are shown. */
const PICKED: Record<Picked, string[]> = {
  captures: [],
  nodes: [],
  presets: ['/nowhere/missing.toml'],
  sessions: ['/recorded/session.rtoscope.json'],
  studies: ['/recorded/half.toml'],
  folder: ['/recorded/runs'],
};

/** Commands that close or write, which do nothing here. */
const SILENT = new Set<CommandName>([
  'close',
  'export_figure',
  'export_picture',
  'export_applied',
  'export_study_figure',
  'study_report',
]);

/**
 * A backend that answers from the files under `base`. Each answer takes `latency` ms and reports progress ten times.
 */
export function fixture(base = 'fixtures/', latency = 0): Backend {
  let index: Promise<Index> | undefined;
  const parsed = new Map<string, Recorded[]>();
  const load = async (file: string) => {
    const reply = await fetch(base + file);
    if (!reply.ok) throw new Failure('io', `${base}${file}: ${reply.status}`);
    return reply;
  };

  async function lookup(name: string, request: unknown): Promise<string> {
    index ??= load('index.json').then((reply) => reply.json() as Promise<Index>);
    const entries = await index;
    const asked = canonical(request);
    const exact = entries[`${name} ${asked}`];
    if (exact) return exact;
    let recorded = parsed.get(name);
    if (!recorded) {
      recorded = Object.entries(entries)
        .filter(([key]) => key.startsWith(`${name} {`))
        .map(([key, file]) => ({ file, request: JSON.parse(key.slice(name.length + 1)) as Fields }));
      parsed.set(name, recorded);
    }
    const best = nearest(name, request, recorded)?.file;
    if (!best) throw new Failure('not_found', `Nothing was recorded for ${name} ${asked}`);
    return best;
  }

  return {
    async call<N extends CommandName>(name: N, request: Request<N>, options: CallOptions = {}): Promise<Reply<N>> {
      (globalThis.sent ??= []).push({ name, request: structuredClone(request) });
      for (let done = 1; latency > 0 && done <= 10; done += 1) {
        await new Promise((resolve) => setTimeout(resolve, latency / 10));
        options.onProgress?.({ done: done * 100_000, total: 1_000_000 });
        if (options.signal?.aborted) throw new Failure('cancelled', 'Cancelled');
      }
      if (SILENT.has(name)) return null as Reply<N>;
      const file = await lookup(name, request);
      const reply = await load(file);
      if (options.signal?.aborted) throw new Failure('cancelled', 'Cancelled');
      if (file.endsWith('.error.json')) throw Failure.from(await reply.json());
      const map = (ARROW as Record<string, ColumnMap>)[name];
      return (map ? decode(await reply.arrayBuffer(), map) : await reply.json()) as Reply<N>;
    },

    openedWith: () => Promise.resolve([]),
    pick: (what = 'captures') => Promise.resolve(PICKED[what]),
    save: (name) => Promise.resolve(`/recorded/${name}`),
    wireshark: (_, frame) => Promise.resolve({ started: false, command: `wireshark -r capture.pcap -g ${frame + 1}` }),

    watchDrops(listener: (event: DropEvent) => void) {
      const over = (event: DragEvent) => {
        event.preventDefault();
        listener({ kind: 'over' });
      };
      const leave = (event: DragEvent) => {
        if (event.relatedTarget === null) listener({ kind: 'leave' });
      };
      const drop = (event: DragEvent) => {
        event.preventDefault();
        listener({ kind: 'drop', paths: Array.from(event.dataTransfer?.files ?? [], (file) => file.name) });
      };
      addEventListener('dragover', over);
      addEventListener('dragleave', leave);
      addEventListener('drop', drop);
      return () => {
        removeEventListener('dragover', over);
        removeEventListener('dragleave', leave);
        removeEventListener('drop', drop);
      };
    },
  };
}
