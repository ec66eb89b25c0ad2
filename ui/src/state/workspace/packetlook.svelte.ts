import { SvelteMap } from 'svelte/reactivity';
import { Failure, type Backend } from '../../ipc/backend';
import type { ColourRule, PacketColumn, RuleColour } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';

/** Names of the columns that a new window shows, from the left. */
const FIRST: readonly string[] = ['frame', 'time', 'kind', 'src', 'dst', 'hop', 'protocol', 'length', 'info'];

/**
 * Names of the columns that every list can have. The core knows them by the same names
 * (src-tauri/crates/table/src/packets/shown.rs); any other name is that of a field.
 */
export const OWN_COLUMNS: readonly string[] = [...FIRST, 'rule'];

/** Narrowest and widest column, px. Chosen here: room for three characters, and for most of a window. */
export const NARROWEST = 32;
export const WIDEST = 900;

/** Colours of rules, in the order in which they are offered. */
export const COLOURS: readonly RuleColour[] = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'grey'];

/** Most rules of a list: the core numbers them by an octet, of which one value stands for none. */
const MOST_RULES = 254;

/** Columns of packet lists and rules of colour, which all captures share. */
export class PacketLook {
  #backend: Backend;
  #prefs: Prefs;
  #first = $state.raw<readonly ColourRule[]>([]);
  /** Mistakes by filter: null where it can be read, undefined while the core is asked. */
  readonly #mistakes = new SvelteMap<string, string | null | undefined>();

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** Takes the rules of a new window from the first reply of the core, which has checked them. */
  start(rules: readonly ColourRule[]): void {
    this.#first = rules;
    for (const { filter } of rules) this.#mistakes.set(filter, null);
  }

  /** Columns from the left. */
  get columns(): readonly PacketColumn[] {
    return this.#prefs.get('packetColumns') ?? FIRST.map((name) => ({ name, width: null }));
  }
  /** Names of the columns that are fields, from the left. */
  get fields(): readonly string[] {
    return this.columns.map(({ name }) => name).filter((name) => !OWN_COLUMNS.includes(name));
  }
  /** Whether the columns are those of a new window. */
  get usual(): boolean {
    return this.#prefs.get('packetColumns') === null;
  }
  has(name: string): boolean {
    return this.columns.some((column) => column.name === name);
  }

  /** Adds a column before the last one that takes the rest of the room, else at the right end; once for each name. */
  add(name: string): void {
    if (this.has(name)) return;
    const columns = [...this.columns];
    const at = columns.at(-1)?.name === 'info' ? columns.length - 1 : columns.length;
    columns.splice(at, 0, { name, width: null });
    this.#choose(columns);
  }
  /** Removes a column; the last one stays. */
  remove(name: string): void {
    const left = this.columns.filter((column) => column.name !== name);
    if (left.length > 0) this.#choose(left);
  }
  /** Moves a column by places, to the right where positive; no further than the ends. */
  move(name: string, by: number): void {
    const columns = [...this.columns];
    const from = columns.findIndex((column) => column.name === name);
    const [column] = columns.splice(from, 1);
    if (from < 0 || !column) return;
    columns.splice(Math.min(Math.max(0, from + by), columns.length), 0, column);
    this.#choose(columns);
  }
  /** Sets the width of a column, px; null: that of its kind. */
  widen(name: string, width: number | null): void {
    const px = width === null ? null : Math.round(Math.min(Math.max(NARROWEST, width), WIDEST));
    this.#choose(this.columns.map((column) => (column.name === name ? { name, width: px } : column)));
  }
  /** Puts back the columns of a new window. */
  resetColumns(): void {
    this.#prefs.set('packetColumns', null);
  }
  #choose(columns: readonly PacketColumn[]): void {
    this.#prefs.set('packetColumns', columns);
  }

  /** Whether rows are coloured. */
  get coloured(): boolean {
    return this.#prefs.get('coloured');
  }
  colour(on: boolean): void {
    this.#prefs.set('coloured', on);
  }
  /** Rules of colour, in order. */
  get rules(): readonly ColourRule[] {
    return this.#prefs.get('colourRules') ?? this.#first;
  }
  /** Whether the rules are those of a new window. */
  get usualRules(): boolean {
    return this.#prefs.get('colourRules') === null;
  }
  /** Rules that colour rows: those that are on and can be read. */
  get inForce(): readonly ColourRule[] {
    if (!this.coloured) return [];
    return this.rules.filter(({ on, filter }) => on && this.#mistakes.get(filter) === null);
  }
  /** The mistake in the filter of a rule; null where there is none, or it is not known yet. */
  mistake({ filter }: ColourRule): string | null {
    return this.#mistakes.get(filter) ?? null;
  }
  /** Number of rules that are on and cannot be read. */
  get wrong(): number {
    return this.rules.filter((rule) => rule.on && this.mistake(rule) !== null).length;
  }

  /** Asks the core for the mistakes of all rules, each filter once. For effects. */
  check(): void {
    for (const { filter } of this.rules) {
      if (this.#mistakes.has(filter)) continue;
      this.#mistakes.set(filter, undefined);
      this.#backend
        .call('check_filter', { filter })
        .then((found) => this.#mistakes.set(filter, found?.message ?? null))
        .catch((thrown: unknown) => this.#mistakes.set(filter, Failure.from(thrown).message));
    }
  }

  /** Changes members of the rule at a position. */
  change(at: number, changes: Partial<ColourRule>): void {
    this.#prefs.set(
      'colourRules',
      this.rules.map((rule, index) => (index === at ? { ...rule, ...changes } : rule)),
    );
  }
  /** Adds a rule before all others, where it decides; in the first colour that no rule has. */
  addRule(filter = '', name = ''): void {
    if (this.rules.length >= MOST_RULES) return;
    const free = COLOURS.find((colour) => this.rules.every((rule) => rule.colour !== colour)) ?? 'blue';
    this.#prefs.set('colourRules', [{ name, filter, colour: free, on: true }, ...this.rules]);
  }
  removeRule(at: number): void {
    this.#prefs.set(
      'colourRules',
      this.rules.filter((_, index) => index !== at),
    );
  }
  /** Exchanges a rule with the one before (-1) or behind it (1). */
  moveRule(at: number, by: -1 | 1): void {
    const rules = [...this.rules];
    const [one, other] = [rules[at], rules[at + by]];
    if (!one || !other) return;
    [rules[at], rules[at + by]] = [other, one];
    this.#prefs.set('colourRules', rules);
  }
  /** Puts back the rules of a new window. */
  resetRules(): void {
    this.#prefs.set('colourRules', null);
  }
}
