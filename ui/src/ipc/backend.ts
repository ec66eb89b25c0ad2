import type { Commands } from './gen/commands';

/** Name of a request to the core, from the generated table of commands. */
export type CommandName = keyof Commands;
/** Request of a command, as the core reads it. */
export type Request<N extends CommandName> = Parameters<Commands[N]>[0];
/** Reply of a command: JSON, or decoded columns of an Arrow stream. */
export type Reply<N extends CommandName> = Awaited<ReturnType<Commands[N]>>;

/** Progress of a slow command, in its own unit; `total` is 0 while unknown. */
export interface Progress {
  done: number;
  total: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborting asks the core to stop; the promise then rejects with code `cancelled`. */
  signal?: AbortSignal;
  /** Called at most twenty times a second. */
  onProgress?: (progress: Progress) => void;
}

/** Files dragged over the window, out of it, or dropped on it; `paths` are absolute. */
export type DropEvent = { kind: 'over' } | { kind: 'leave' } | { kind: 'drop'; paths: string[] };

/** Kinds of files that the open dialog asks for. */
export type Picked = 'captures' | 'presets' | 'sessions' | 'nodes' | 'studies' | 'folder';

/** The only way from the page to the world outside the window. */
export interface Backend {
  /** Sends a request to the core. Rejects with a {@link Failure}. */
  call<N extends CommandName>(name: N, request: Request<N>, options?: CallOptions): Promise<Reply<N>>;
  /** Absolute paths of the captures named when the program was started. */
  openedWith(): Promise<string[]>;
  /** Shows the system's open dialog for a kind of file; the chosen paths, empty when dismissed. */
  pick(what?: Picked): Promise<string[]>;
  /** Shows the system's save dialog with this file name; the chosen path, null when dismissed. */
  save(name: string): Promise<string | null>;
  /**
   * Opens Wireshark at a frame (from 0) of a capture, where it is installed; returns whether it was, and the command
   * line either way.
   */
  wireshark(capture: number, frame: number): Promise<{ started: boolean; command: string }>;
  /** Listens to files dragged onto the window; returns a function that stops listening. */
  watchDrops(listener: (event: DropEvent) => void): () => void;
}

/** An error of the core: its message says what is wrong and what to do. */
export class Failure extends Error {
  /** Code of the error as the core names it, such as `not_found` or `cancelled`. */
  readonly code: string;
  /** Further lines, such as the cause in the words of the system; null without any. */
  readonly detail: string | null;
  /** Column of the request's text at which the error lies; null where it has no place. */
  readonly at: number | null;

  constructor(code: string, message: string, detail: string | null = null, at: number | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.detail = detail;
    this.at = at;
  }

  /** Converts any thrown value; what is no error of the core gets code `internal`. */
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

  /** Whether the call was stopped on request. */
  get cancelled(): boolean {
    return this.code === 'cancelled';
  }
}

function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
