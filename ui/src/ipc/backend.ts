import type { Commands } from './gen/commands';

export type CommandName = keyof Commands;
export type Request<N extends CommandName> = Parameters<Commands[N]>[0];
export type Reply<N extends CommandName> = Awaited<ReturnType<Commands[N]>>;

/** Progress of a slow command, in its own unit; `total` is 0 when unknown. */
export interface Progress {
  done: number;
  total: number;
}

export interface CallOptions {
  /** Aborting asks the other side to stop; the promise then rejects with code `cancelled`. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Files over or dropped on the window. */
export type DropEvent = { kind: 'over' } | { kind: 'leave' } | { kind: 'drop'; paths: string[] };

/** Kinds of files that the open dialog asks for. */
export type Picked = 'captures' | 'presets' | 'sessions' | 'nodes' | 'studies' | 'folder';

/** The only door to the world outside the window. */
export interface Backend {
  call<N extends CommandName>(name: N, request: Request<N>, options?: CallOptions): Promise<Reply<N>>;
  /** Captures named when the program was started. */
  openedWith(): Promise<string[]>;
  /** The system's open dialog; empty when dismissed. */
  pick(what?: Picked): Promise<string[]>;
  /** The system's save dialog, beginning with this file name; null when dismissed. */
  save(name: string): Promise<string | null>;
  /** Opens Wireshark at a frame (from 0), where it is installed; says the command line either way. */
  wireshark(capture: number, frame: number): Promise<{ started: boolean; command: string }>;
  /** Files dragged onto the window; returns how to stop listening. */
  watchDrops(listener: (event: DropEvent) => void): () => void;
}

/** An error as it crosses the bridge: what, where, and what to do. */
export class Failure extends Error {
  readonly code: string;
  readonly detail: string | null;
  /** Octet in the file or column in the request. */
  readonly at: number | null;

  constructor(code: string, message: string, detail: string | null = null, at: number | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.detail = detail;
    this.at = at;
  }

  /** Any thrown value as a failure. */
  static from(thrown: unknown): Failure {
    if (thrown instanceof Failure) return thrown;
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return new Failure('cancelled', 'Cancelled');
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
      const { code, message, detail, at } = thrown as Record<string, unknown>;
      return new Failure(String(code), String(message), text(detail), typeof at === 'number' ? at : null);
    }
    if (thrown instanceof Error) return new Failure('internal', thrown.message);
    return new Failure('internal', String(thrown));
  }

  get cancelled(): boolean {
    return this.code === 'cancelled';
  }
}

function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
