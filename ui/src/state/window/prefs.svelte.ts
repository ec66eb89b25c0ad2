import type { ChannelKind, WorkloadKind } from '../../ipc/gen/types';

export type Theme = 'system' | 'light' | 'dark';

/** Format of a capture's times: `6:31.204`, `391.204 s`, or the time of day where the capture has one. */
export type TimeFormat = 'clock' | 'seconds' | 'day';

/** A file that was opened or saved. */
export interface Recent {
  path: string;
  at: 'capture' | 'session';
}

/** Preferences, which outlive the window. */
export interface Stored {
  theme: Theme;
  speed: number;
  /** Algorithms shown, as `{id, params}`; null: the program's defaults. */
  shown: { id: string; params: Record<string, number | string | boolean> }[] | null;
  /** Measures shown in Compare; null: the headline ones. */
  metrics: string[] | null;
  /** Rows of Compare that stay at the top, by key. */
  pinned: string[];
  channel: ChannelKind;
  workload: WorkloadKind;
  seed: number;
  replicates: number;
  logarithmic: boolean;
  /** Channel states are shown under the Timeline. */
  channelStates: boolean;
  /** The live panel is unfolded. */
  live: boolean;
  /** Filters that were applied, latest first. */
  filters: string[];
  /** The reader's tags of captures, by SHA-256; an empty value removes a proposal. */
  tags: Record<string, Record<string, string>>;
  /** The figure looked at; null: the first. */
  recipe: string | null;
  /** Switches of figures that are not at their defaults, by recipe. */
  figures: Record<string, Record<string, number | string | boolean>>;
  time: TimeFormat;
  /** Decoding options of captures that do not declare them; as text, as in “Decode as”. */
  ports: string;
  rcOption: string;
  contexts: string;
  /** Set only where the reader asked to store them; otherwise they are in memory. */
  keys: string | null;
  /** Latest first. */
  recent: Recent[];
  /** Studies that were opened, by file or folder, latest first. */
  studies: string[];
  /** The view that was open. */
  view: string;
  /** Algorithms that a new window shows; null: those shown last. */
  startWith: { id: string; params: Record<string, number | string | boolean> }[] | null;
  /** The tour was taken or skipped. */
  toured: boolean;
  /** CoAP stack that timers were last written for; null: none yet. */
  stack: string | null;
}

const DEFAULTS: Stored = {
  theme: 'system',
  speed: 10,
  shown: null,
  metrics: null,
  pinned: [],
  channel: 'auto',
  workload: 'auto',
  seed: 1,
  replicates: 200,
  logarithmic: true,
  channelStates: false,
  live: false,
  filters: [],
  tags: {},
  recipe: null,
  figures: {},
  time: 'clock',
  ports: '',
  rcOption: '',
  contexts: '',
  keys: null,
  recent: [],
  studies: [],
  view: 'timeline',
  startWith: null,
  toured: false,
  stack: null,
};

/** Storage of preferences; a subset of the browser's `Storage`. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'rtoscope';

/** Preferences by the names under which earlier versions stored them. */
const RENAMED: Readonly<Record<string, keyof Stored>> = { weather: 'channelStates' };

/** Version of the stored text; texts of before `auto` have none. */
const VERSION = 2;

/** Preferences in a stored text. Former names give way to present ones, and do not override them. Throws where the text is not JSON. */
function parse(text: string): Partial<Stored> {
  const { version, ...stored } = JSON.parse(text) as Record<string, unknown>;
  // Defaults are stored with the rest: the former default channel was rarely chosen by anybody.
  if (version === undefined && stored.channel === 'empirical') delete stored.channel;
  const entries = Object.entries(stored);
  const former = entries.flatMap(([name, value]) => (RENAMED[name] ? [[RENAMED[name], value] as const] : []));
  return Object.fromEntries([...former, ...entries.filter(([name]) => !RENAMED[name])]);
}

/** Preferences: read once, written on every change. */
export class Prefs {
  #store: Store | undefined;
  #stored = $state.raw<Stored>(DEFAULTS);

  constructor(store?: Store) {
    this.#store = store;
    try {
      const text = store?.getItem(KEY);
      if (text) this.#stored = { ...DEFAULTS, ...parse(text) };
    } catch {
      // Unreadable preferences are ignored.
    }
  }

  get<K extends keyof Stored>(key: K): Stored[K] {
    return this.#stored[key];
  }

  set<K extends keyof Stored>(key: K, value: Stored[K]): void {
    if (this.#stored[key] === value) return;
    this.#stored = { ...this.#stored, [key]: value };
    try {
      this.#store?.setItem(KEY, JSON.stringify({ ...this.#stored, version: VERSION }));
    } catch {
      // A full or forbidden store must not stop the program.
    }
  }
}
