import type { ChannelKind, ColourRule, PacketColumn, WorkloadKind } from '../../ipc/gen/types';

/** Colours of the window: those of the system, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark';

/** Format of times: `6:31.204`, `391.204 s`, or the time of day where the capture has one. */
export type TimeFormat = 'clock' | 'seconds' | 'day';

/** A file that was opened or saved, or a folder whose captures were opened. */
export interface Recent {
  path: string;
  /** Kind of what is there. */
  at: 'capture' | 'session' | 'folder';
}

/** Preferences, which outlive the window. */
export interface Stored {
  theme: Theme;
  /** Speed of playback, a multiple of the recorded one. */
  speed: number;
  /** Algorithms that are shown; null: the program's defaults. */
  shown: { id: string; params: Record<string, number | string | boolean> }[] | null;
  /** Names of the measures shown in Compare; null: the headline ones. */
  metrics: string[] | null;
  /** Keys of rows that stay at the top of Compare. */
  pinned: string[];
  channel: ChannelKind;
  workload: WorkloadKind;
  /** Seed of all random draws, and number of replicates. */
  seed: number;
  replicates: number;
  /** Whether axes of times are logarithmic. */
  logarithmic: boolean;
  /** Whether channel states are shown under the Timeline. */
  channelStates: boolean;
  /** Whether the live panel is unfolded. */
  live: boolean;
  /** Rules of alerts as typed, and whether they are watched when something is recorded or followed. */
  alerts: string[];
  alerting: boolean;
  /** Filters that were applied, latest first. */
  filters: string[];
  /** Columns of packet lists, from the left; null: those of a new window. */
  packetColumns: readonly PacketColumn[] | null;
  /** Rules of colour of packet lists, in order; null: those of a new window. */
  colourRules: readonly ColourRule[] | null;
  /** Whether rows of packet lists are coloured. */
  coloured: boolean;
  /** The reader's tags of captures, by SHA-256; an empty value removes a proposal. */
  tags: Record<string, Record<string, string>>;
  /** ID of the figure that is shown by itself; null: all are shown beside each other. */
  recipe: string | null;
  /** Switches of figures that are not at their defaults, by recipe. */
  figures: Record<string, Record<string, number | string | boolean>>;
  time: TimeFormat;
  /** Decoding options of captures that do not declare them, as texts of the dialog *Decode as…*; empty: none. */
  ports: string;
  rcOption: string;
  contexts: string;
  /** Keys of 802.15.4 security where the reader asked to store them; null: they stay in memory. */
  keys: string | null;
  /** Files opened or saved, and folders opened, recently, latest first. */
  recent: Recent[];
  /** Studies that were opened, by file or folder, latest first. */
  studies: string[];
  /** ID of the view that was open last. */
  view: string;
  /** Algorithms that a new window shows; null: those shown last. */
  startWith: { id: string; params: Record<string, number | string | boolean> }[] | null;
  /** Whether the tour was taken or skipped. */
  toured: boolean;
  /** ID of the CoAP stack that timers were last written for; null: none yet. */
  stack: string | null;
  /** CSV file of the reader's own calibration table; null: none was chosen yet. */
  calibration: string | null;
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
  alerts: [],
  alerting: true,
  filters: [],
  packetColumns: null,
  colourRules: null,
  coloured: true,
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
  calibration: null,
};

/** Storage of preferences, a subset of the browser's `Storage`. Either method may throw. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Key of the preferences in the store. */
const KEY = 'rtoscope';

/** Present names of preferences by their former ones. */
const RENAMED: Readonly<Record<string, keyof Stored>> = { weather: 'channelStates' };

/** Version of the stored text; texts of before `auto` have none. */
const VERSION = 2;

/**
 * Reads the preferences of a stored text; a present name takes precedence over a former one. Throws where the text is
 * not JSON.
 */
function parse(text: string): Partial<Stored> {
  const { version, ...stored } = JSON.parse(text) as Record<string, unknown>;
  // Defaults are stored with the rest: the former default channel was rarely chosen by anybody.
  if (version === undefined && stored.channel === 'empirical') delete stored.channel;
  const entries = Object.entries(stored);
  const former = entries.flatMap(([name, value]) => (RENAMED[name] ? [[RENAMED[name], value] as const] : []));
  return Object.fromEntries([...former, ...entries.filter(([name]) => !RENAMED[name])]);
}

/**
 * Preferences: read once, written on every change. Without a store, or with one that fails, they live as long as the
 * window.
 */
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
