import { decode, type ColumnMap } from './arrow';
import {
  Failure,
  type Backend,
  type CallOptions,
  type CommandName,
  type DropEvent,
  type Reply,
  type Request,
} from './backend';
import { canonical } from './canonical';
import { ARROW } from './gen/commands';

/**
 * Replies recorded from the Rust core by `cli fixtures`, behind the same interface.
 *
 * `fixtures/index.json` maps `NAME CANONICAL-REQUEST` to a file beside it: `*.json`, `*.arrow`, or `*.error.json`
 * (`{code, message, detail, at}`). Canonical = JSON with sorted keys and without null members.
 *
 * Nobody can record every window a hand can brush, so a request that was not recorded is answered by the nearest
 * recorded one of the same command that agrees in everything except the fields of `TOLERANT`:
 * - `t0`, `t1`, `px`: the recorded window must hold the asked one if any does; then the nearest ns per pixel;
 * - `at`: the last recorded one not after it (not before it when stepping backwards), else the nearest;
 * - lists (`algorithms`, `runs`, `values`): the one that misses least of what was asked; `baseline`, `seed`, `replicates`, `offset`, `bins`: the nearest;
 * - `params`, `parameter`, `sort`, `descending`: preferred equal, ignored otherwise.
 */
type Index = Record<string, string>;
type Recorded = { request: Fields; file: string };
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = Record<string, Json>;

const TOLERANT = new Set([
  ...[
    't0',
    't1',
    'px',
    'at',
    'algorithms',
    'algorithm',
    'runs',
    'run',
    'values',
    'parameter',
    'across',
    'baseline',
    'seed',
    'replicates',
    'bounds',
  ],
  ...[
    'offset',
    'limit',
    'bins',
    'sort',
    'descending',
    'exchange',
    'window',
    'workload',
    'channel',
    'rtt',
    'loss',
    'part',
    'retransmitted',
    'params',
  ],
]);

/** Fields of single commands that nobody can record every value of. */
const LOOSE: Record<string, readonly string[]> = {
  report: ['file', 'path'],
  optimise: ['over', 'objective', 'method', 'evaluations', 'hold_out', 'hold_out_part'],
  session_read: ['path'],
  session_write: ['file', 'path', 'captures'],
  step: ['between'],
  // What is there of all lanes is there of some.
  lanes: ['lanes'],
};

/** How badly a recorded request answers the asked one; infinite when it must not. */
export function distance(asked: Fields, recorded: Fields, loose: readonly string[] = []): number {
  let cost = 0;
  for (const key of new Set([...Object.keys(asked), ...Object.keys(recorded)])) {
    const [a, b] = [asked[key] ?? null, recorded[key] ?? null];
    if (loose.includes(key)) continue;
    if (key === 't0' || key === 't1' || key === 'px' || canonical(a) === canonical(b)) continue;
    // Where a file was written while recording says nothing.
    if (key === 'path' && typeof b === 'string' && b.endsWith('/exported.pcapng')) continue;
    if (!TOLERANT.has(key)) return Infinity;
    cost += fieldCost(key, a, b, asked.backwards === true);
  }
  return cost + windowCost(asked, recorded);
}

function fieldCost(key: string, a: Json, b: Json, backwards: boolean): number {
  if (key === 'run' || key === 'exchange') return 1e6;
  // A map is no curve.
  if (key === 'across') return a === null || b === null ? Infinity : 10;
  if (key === 'channel' || key === 'retransmitted' || key === 'window') return 1e4;
  if (key === 'algorithm') return sameId(a, b) ? 1 : 1e7;
  if (Array.isArray(a) && Array.isArray(b)) return listCost(a, b);
  if (key === 'at' && typeof a === 'number' && typeof b === 'number') {
    const late = backwards ? b < a : b > a;
    return Math.log2(1 + Math.abs(a - b)) + (late ? 1e3 : 0);
  }
  // Twice as fine is as far as half as fine.
  if (key === 'bins' && typeof a === 'number' && typeof b === 'number') return 4 * Math.abs(Math.log2(a / b));
  if (typeof a === 'number' && typeof b === 'number') return Math.min(50, Math.log2(1 + Math.abs(a - b)));
  return 10;
}

/** Everything asked for should be there; what is there beside it costs little. */
function listCost(asked: Json[], recorded: Json[]): number {
  const left = [...recorded];
  const take = (matches: (other: Json) => boolean) => {
    const index = left.findIndex(matches);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
  const inexact = asked.filter((item) => !take((other) => canonical(other) === canonical(item)));
  const missing = inexact.filter((item) => !take((other) => sameId(item, other)));
  return 1e3 * missing.length + 20 * (inexact.length - missing.length) + left.length + 0.5;
}

function sameId(a: Json, b: Json): boolean {
  const id = (value: Json) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value.id : undefined;
  return id(a) !== undefined && id(a) === id(b);
}

function windowCost(asked: Fields, recorded: Fields): number {
  const [a0, a1, b0, b1] = [asked.t0, asked.t1, recorded.t0, recorded.t1].map(Number);
  if (![a0, a1, b0, b1].every((value) => Number.isFinite(value))) return 0;
  const covered = Math.max(0, Math.min(a1!, b1!) - Math.max(a0!, b0!)) / Math.max(1, a1! - a0!);
  const perPx = (t0: number, t1: number, px: Json | undefined) =>
    Math.log2(Math.max(1, t1 - t0) / Math.max(1, Number(px ?? 1)));
  return 500 * (1 - covered) + 10 * Math.abs(perPx(a0!, a1!, asked.px) - perPx(b0!, b1!, recorded.px));
}

/** Of `recorded`, what answers the request least badly. */
export function nearest<T extends { request: unknown }>(
  name: string,
  asked: unknown,
  recorded: readonly T[],
): T | undefined {
  const fields = JSON.parse(canonical(asked)) as Fields;
  let best: T | undefined;
  let least = Infinity;
  for (const candidate of recorded) {
    const cost = distance(fields, candidate.request as Fields, LOOSE[name]);
    if (cost < least) [best, least] = [candidate, cost];
  }
  return best;
}

/** Answers from the files under `base`; `latency` milliseconds make progress visible in tests. */
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
      for (let done = 1; latency > 0 && done <= 10; done += 1) {
        await new Promise((resolve) => setTimeout(resolve, latency / 10));
        options.onProgress?.({ done: done * 100_000, total: 1_000_000 });
        if (options.signal?.aborted) throw new Failure('cancelled', 'Cancelled');
      }
      // Nothing is forgotten and nothing written here.
      if (name === 'close' || name === 'export_figure' || name === 'export_picture') return null as Reply<N>;
      const file = await lookup(name, request);
      const reply = await load(file);
      if (options.signal?.aborted) throw new Failure('cancelled', 'Cancelled');
      if (file.endsWith('.error.json')) throw Failure.from(await reply.json());
      const map = (ARROW as Record<string, ColumnMap>)[name];
      return (map ? decode(await reply.arrayBuffer(), map) : await reply.json()) as Reply<N>;
    },

    openedWith: () => Promise.resolve([]),
    // No dialog here; presets show what a file with mistakes looks like.
    pick: (what) =>
      Promise.resolve(
        what === 'presets' ? ['/nowhere/missing.toml'] : what === 'sessions' ? ['/recorded/session.rtoscope.json'] : [],
      ),
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
