import type { ChannelKind, WorkloadKind } from '../../ipc/gen/types';

export type Theme = 'system' | 'light' | 'dark';

/** How times of a capture are written: `6:31.204`, `391.204 s`, or the time of day where the capture knows it. */
export type TimeFormat = 'clock' | 'seconds' | 'day';

/** A file that was open. */
export interface Recent {
  path: string;
  at: 'capture' | 'session';
}

/** What outlives the window. */
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
  /** The weather is shown under the Timeline. */
  weather: boolean;
  /** The live panel is unfolded. */
  live: boolean;
  /** Filters that were applied, latest first. */
  filters: string[];
  /** What the reader says of captures, by SHA-256; an empty value takes a proposal back. */
  tags: Record<string, Record<string, string>>;
  /** The figure looked at; null: the first. */
  recipe: string | null;
  /** Switches of figures that are not at their defaults, by recipe. */
  figures: Record<string, Record<string, number | string | boolean>>;
  time: TimeFormat;
  /** How captures are read that do not say so themselves; as text, like in “Decode as”. */
  ports: string;
  rcOption: string;
  contexts: string;
  /** Only where the reader asked to keep them; else they are in memory. */
  keys: string | null;
  /** Latest first. */
  recent: Recent[];
  /** The view that was open. */
  view: string;
  /** Which algorithms a new window shows: those shown last, or these. */
  startWith: { id: string; params: Record<string, number | string | boolean> }[] | null;
  /** The tour was taken or skipped. */
  toured: boolean;
}

const DEFAULTS: Stored = {
  theme: 'system',
  speed: 10,
  shown: null,
  metrics: null,
  pinned: [],
  channel: 'empirical',
  workload: 'auto',
  seed: 1,
  replicates: 200,
  logarithmic: true,
  weather: false,
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
  view: 'timeline',
  startWith: null,
  toured: false,
};

/** Where preferences are kept; a subset of `Storage`. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'rtoscope';

/** Preferences: read once, written on every change. */
export class Prefs {
  #store: Store | undefined;
  #stored = $state.raw<Stored>(DEFAULTS);

  constructor(store?: Store) {
    this.#store = store;
    try {
      const text = store?.getItem(KEY);
      if (text) this.#stored = { ...DEFAULTS, ...(JSON.parse(text) as Partial<Stored>) };
    } catch {
      // Unreadable preferences are as good as none.
    }
  }

  get<K extends keyof Stored>(key: K): Stored[K] {
    return this.#stored[key];
  }

  set<K extends keyof Stored>(key: K, value: Stored[K]): void {
    if (this.#stored[key] === value) return;
    this.#stored = { ...this.#stored, [key]: value };
    try {
      this.#store?.setItem(KEY, JSON.stringify(this.#stored));
    } catch {
      // A full or forbidden store must not stop the program.
    }
  }
}
