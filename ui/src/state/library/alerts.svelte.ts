import { Failure, type Backend } from '../../ipc/backend';
import type { AlertRuleView, AlertSource, AlertView, AlertsView } from '../../ipc/gen/types';
import type { Announcer } from '../window/announcer.svelte';
import type { Prefs } from '../window/prefs.svelte';
import { LOOK, restAfter } from './pace';

/** Rules that docs/watch.md begins with, for the menu of examples. */
export const EXAMPLES: readonly string[] = [
  'needless > 20% for 5min',
  'timer-changed',
  'parent-changed then storm within 10min',
  'storm',
];

/** Most alerts that are listed, the newest; the core keeps as many. */
const MOST = 1000;

/** Capture that goes on: the recording, or the followed file. */
export interface Watched {
  source: AlertSource;
  path: string;
}

/** A rule as typed, with what is known of it. */
export interface RuleRow {
  text: string;
  /** Sentence that says what is wrong with it; empty where nothing is. */
  error: string;
  /** State where it is watched; undefined where it is not. */
  state: AlertRuleView | undefined;
}

/**
 * The reader's rules, and the alerts of the capture that goes on. Rules are kept in the preferences. They are watched
 * while something is recorded or followed ({@link attend}) and the reader wants it ({@link on}).
 */
export class Alerts {
  #backend: Backend;
  #prefs: Prefs;
  #announcer: Announcer;
  /** Errors of rules that were checked; empty for one that is right. */
  #errors = $state.raw<Readonly<Record<string, string>>>({});
  #view = $state.raw<AlertsView | null>(null);
  #list = $state.raw<readonly AlertView[]>([]);
  #running = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #attended: Watched | null = null;
  /** Rules that the core watches, in their order. */
  #started: readonly string[] = [];
  /** Whether the watch has read what was there when it began: what it says from then on is news. */
  #caughtUp = false;
  #named: (client: string, capture: number | null) => string;
  /** Calls run one after the other. */
  #last: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rested = 0;
  readonly #rows = $derived.by(() => this.#stated());

  /** `named` gives the name by which the reader calls a client or node of a capture (its number). */
  constructor(
    backend: Backend,
    prefs: Prefs,
    announcer: Announcer,
    named: (client: string, capture: number | null) => string,
  ) {
    this.#named = named;
    this.#backend = backend;
    this.#prefs = prefs;
    this.#announcer = announcer;
  }

  /** Rules as typed, in the reader's order. */
  get rows(): readonly RuleRow[] {
    return this.#rows;
  }
  /** Whether rules are watched when something goes on. */
  get on(): boolean {
    return this.#prefs.get('alerting');
  }
  /** Whether the core watches now. */
  get running(): boolean {
    return this.#running;
  }
  /** State of the watch, the last one where it is over; null before the first. */
  get view(): AlertsView | null {
    return this.#view;
  }
  /** Alerts of the watch, newest first. */
  get list(): readonly AlertView[] {
    return this.#list;
  }
  /** Number of alerts that go on; 0 where nothing is watched any more. */
  get open(): number {
    return this.#running ? (this.#view?.rules.reduce((sum, { open }) => sum + open.length, 0) ?? 0) : 0;
  }
  /** Reason why alerts did not begin, or the core could not say them; null where it could. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** Adds a rule at the end; one that is there already is not added again. */
  add(text = ''): Promise<void> {
    const rules = this.#prefs.get('alerts');
    return rules.some((rule) => spaced(rule) === spaced(text)) ? Promise.resolve() : this.#keep([...rules, text]);
  }
  /** Changes the rule at this index. */
  change(at: number, text: string): Promise<void> {
    return this.#keep(this.#prefs.get('alerts').map((rule, index) => (index === at ? text : rule)));
  }
  /** Removes the rule at this index. */
  remove(at: number): Promise<void> {
    return this.#keep(this.#prefs.get('alerts').filter((_, index) => index !== at));
  }
  /** Watches, or stops watching, whatever goes on. */
  turn(on: boolean): Promise<void> {
    this.#prefs.set('alerting', on);
    return this.#do(() => this.#apply());
  }

  /** Watches this capture from now on in place of the one before; null: nothing goes on. */
  attend(watched: Watched | null): Promise<void> {
    const before = this.#attended;
    if (before?.source === watched?.source && before?.path === watched?.path) return this.#last;
    this.#attended = watched;
    return this.#do(async () => {
      await this.#end();
      await this.#apply();
    });
  }

  /** Asks the core which rules are wrong. */
  check(): Promise<void> {
    return this.#do(() => this.#check());
  }

  /** Watches again after it ended, as where a file was replaced. */
  again(): Promise<void> {
    return this.#do(async () => {
      [this.#running, this.#started] = [false, []];
      await this.#apply();
    });
  }

  #stated(): readonly RuleRow[] {
    return this.#prefs.get('alerts').map((text, at, all) => {
      const own = spaced(text);
      const first = all.findIndex((other) => spaced(other) === own) === at;
      const checked = Object.hasOwn(this.#errors, own) ? (this.#errors[own] ?? '') : '';
      const error = first || own === '' ? checked : 'this rule is there already';
      const state = first && this.#running ? this.#view?.rules.find((rule) => rule.text === own) : undefined;
      return { text, error, state };
    });
  }

  #keep(rules: readonly string[]): Promise<void> {
    this.#prefs.set('alerts', [...rules]);
    return this.#do(async () => {
      await this.#check();
      await this.#apply();
    });
  }

  /** Different rules that are not empty. */
  #typed(): string[] {
    const typed = this.#prefs.get('alerts').map(spaced);
    return typed.filter((rule, at) => rule !== '' && typed.indexOf(rule) === at);
  }

  async #check(): Promise<void> {
    const rules = this.#typed();
    if (rules.every((rule) => Object.hasOwn(this.#errors, rule))) return;
    const errors = await this.#backend.call('alerts_check', { rules });
    this.#errors = Object.fromEntries(rules.map((rule, at) => [rule, errors[at] ?? '']));
  }

  /** Has the core watch the rules that are right, as they are now. */
  async #apply(): Promise<void> {
    await this.#check();
    const rules = this.#typed().filter((rule) => this.#errors[rule] === '');
    if (!this.#attended || !this.on || rules.length === 0) {
      await this.#end();
      return;
    }
    if (this.#running && this.#started.join('\n') === rules.join('\n')) return;
    const { source } = this.#attended;
    const view = await this.#backend.call('alerts_start', { rules, source });
    // The core goes on with what it watches, under other rules.
    if (!this.#running) [this.#caughtUp, this.#rested] = [false, 0];
    [this.#started, this.#running] = [rules, true];
    this.#take(view, 0);
    this.#later();
  }

  /** Takes the rest of the watch; what it said stays listed. */
  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#running) return;
    [this.#running, this.#started] = [false, []];
    const after = this.#known();
    // Where the reader stops it, what was said stands.
    await this.#try(async () => {
      const view = await this.#backend.call('alerts_stop', { after });
      if (view) this.#take(view, after);
    });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), LOOK);
  }

  async #tick(): Promise<void> {
    this.#rested -= LOOK;
    if (this.#rested <= 0) await this.#do(() => this.#look());
    if (this.#running && this.#view?.ended === '') this.#later();
  }

  async #look(): Promise<void> {
    if (!this.#running) return;
    const began = performance.now();
    const after = this.#known();
    const view = await this.#backend.call('alerts_look', { after });
    this.#rested = restAfter(performance.now() - began);
    if (view) this.#take(view, after);
    else this.#running = false;
    this.#caughtUp ||= view?.is_behind === false;
  }

  /** Number of the last alert that need not come again: all do whose times were not known. */
  #known(): number {
    return this.#view && this.#view.capture !== null ? (this.#list[0]?.number ?? 0) : 0;
  }

  #take(view: AlertsView, after: number): void {
    const before = this.#list[0]?.number ?? 0;
    const all = view.alerts.toReversed();
    const newest = all.filter(({ number }) => number > before);
    this.#list = (after > 0 ? [...newest, ...this.#list] : all).slice(0, MOST);
    this.#view = view;
    const news = newest.filter(({ stage }) => stage !== 'end');
    const [last] = news;
    if (!last || !this.#caughtUp) return;
    const many = news.length > 1 ? `${news.length} alerts, the last: ` : 'Alert: ';
    const client = last.client === null ? '' : `, ${this.#named(last.client, view.capture)}`;
    this.#announcer.say(`${many}${last.rule}${client}`);
  }

  /** Does `work` after what was asked before; a failure is kept, but not that the reader stopped it. */
  #do(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => {
      this.#failure = null;
      return this.#try(work);
    });
    return this.#last;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (!failure.cancelled) this.#failure = failure;
    }
  }
}

/** A rule with single spaces, as the core calls it. */
function spaced(rule: string): string {
  return rule.trim().split(/\s+/).join(' ');
}
