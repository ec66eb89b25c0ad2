import { canonical } from '../../ipc/canonical';
import type { AlgorithmChoice, AlgorithmSpec, ParamSpec, ParamValue } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';

/** Overridden parameters by name, in the units of their declarations. */
export type Params = AlgorithmChoice['params'];

/** An algorithm with its parameters, as every view shows it. */
export interface Shown {
  /** Text that is equal for equal algorithms and parameters. */
  key: string;
  choice: AlgorithmChoice;
  spec: AlgorithmSpec;
  /** Index in the registry, from 0, which decides colour, dash and marker. */
  order: number;
  /** 0 for the preset, else the number of the variant of one preset, from 1. */
  variant: number;
  /** Name for people: `CoCoA`, or `CoCoA, K strong 3` for a variant. */
  name: string;
  /** Whether it is edited in What-if and not added yet. */
  draft: boolean;
}

/** Text that is equal for equal algorithms and parameters; the ID alone for a preset. */
export function choiceKey(choice: AlgorithmChoice): string {
  return Object.keys(choice.params).length === 0 ? choice.id : `${choice.id} ${canonical(choice.params)}`;
}

/** The parameters of `params` that the algorithm has and whose values differ from its defaults. */
export function overrides(spec: AlgorithmSpec, params: Params): Params {
  const kept = Object.entries(params).filter(([name, value]) => {
    const param = spec.params.find((candidate) => candidate.name === name);
    if (param === undefined || String(value) === String(param.default)) return false;
    return toNumber(value) !== toNumber(param.default);
  });
  return Object.fromEntries(kept);
}

/** The value of a parameter as a number: `1/8` is 0.125, `3,5` is 3.5; NaN for other texts. */
export function toNumber(value: ParamValue | boolean): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const fraction = /^\s*(-?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value);
  if (fraction) return Number(fraction[1]) / Number(fraction[2]);
  const text = value.trim().replace(',', '.').replace('\u2212', '-');
  return text === '' ? NaN : Number(text);
}

/** The label of a value that is no number; the value itself without one. */
export function labelOf(spec: ParamSpec, value: ParamValue | boolean): string {
  return spec.choices.find(({ name }) => name === value)?.label ?? String(value);
}

/** Parameters as text, such as `K strong 3, α 1/8`; times with their unit. */
export function describe(spec: AlgorithmSpec, params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => {
      const param: ParamSpec | undefined = spec.params.find((candidate) => candidate.name === name);
      const unit = param?.unit === 'seconds' ? ' s' : '';
      const said = typeof value === 'number' || !param ? value : labelOf(param, value);
      return `${param?.label ?? name} ${typeof said === 'number' ? Number(said.toPrecision(4)) : said}${unit}`;
    })
    .join(', ');
}

/**
 * Name of a timer with the parameters that differ from its preset's: `CoCoA (RTO max 32 s)`; its id where it is not
 * known.
 */
export function timerText({ id, params }: AlgorithmChoice, specOf: (id: string) => AlgorithmSpec | undefined): string {
  const spec = specOf(id);
  if (!spec) return id;
  const changed = describe(spec, overrides(spec, params));
  return changed ? `${spec.name} (${changed})` : spec.name;
}

/** The registry of algorithms, and the algorithms that are shown. */
export class Algorithms {
  #prefs: Prefs;
  #specs = $state.raw<readonly AlgorithmSpec[]>([]);
  #chosen = $state.raw<readonly AlgorithmChoice[]>([]);
  #draft = $state.raw<AlgorithmChoice | null>(null);
  #known = $derived(this.#chosen.filter(({ id }) => this.spec(id) !== undefined));
  #shown = $derived(this.#list());

  constructor(prefs: Prefs) {
    this.#prefs = prefs;
  }

  /** All algorithms, in the order of the registry. */
  get specs(): readonly AlgorithmSpec[] {
    return this.#specs;
  }
  /** Algorithms that are shown, in the reader's order, with the draft last. */
  get shown(): readonly Shown[] {
    return this.#shown;
  }

  /** Takes in the registry, and shows the algorithms of the preferences, or else the defaults (IDs). */
  load(specs: readonly AlgorithmSpec[], defaults: readonly string[]): void {
    this.#specs = specs;
    const known = (choice: AlgorithmChoice) => specs.some((spec) => spec.id === choice.id);
    const stored = (this.#prefs.get('startWith') ?? this.#prefs.get('shown'))?.filter(known);
    this.#chosen = stored ?? defaults.map((id) => ({ id, params: {} })).filter(known);
  }

  /** Replaces the registry and shows the presets that were just loaded (IDs). */
  learn(specs: readonly AlgorithmSpec[], loaded: readonly string[]): void {
    this.#specs = specs;
    for (const id of loaded) this.add({ id, params: {} });
  }

  spec(id: string): AlgorithmSpec | undefined {
    return this.#specs.find((spec) => spec.id === id);
  }

  /** Whether the reader has chosen this algorithm with these parameters. */
  has(choice: AlgorithmChoice): boolean {
    const key = choiceKey(choice);
    return this.#chosen.some((other) => choiceKey(other) === key);
  }

  /** Whether an algorithm is offered first: defaults, all presets of the reader, and those shown already. */
  offeredFirst(spec: AlgorithmSpec): boolean {
    return spec.default || this.has({ id: spec.id, params: {} });
  }

  /** Shows an algorithm, too. */
  add(choice: AlgorithmChoice): void {
    if (!this.has(choice)) this.#choose([...this.#chosen, choice]);
  }

  /** Shows these algorithms and no others. */
  show(choices: readonly AlgorithmChoice[]): void {
    if (canonical(choices) !== canonical(this.#chosen)) this.#choose(choices);
  }

  /** Algorithms that the reader chose and the registry has, without the draft. */
  get chosen(): readonly AlgorithmChoice[] {
    return this.#known;
  }

  /** Removes the algorithm with this key. */
  remove(key: string): void {
    this.#choose(this.#chosen.filter((choice) => choiceKey(choice) !== key));
  }

  /** Moves the algorithm with this key one place up (-1) or down (+1). */
  move(key: string, by: -1 | 1): void {
    const from = this.#chosen.findIndex((choice) => choiceKey(choice) === key);
    const [a, b] = [this.#chosen[from], this.#chosen[from + by]];
    if (!a || !b) return;
    const next = [...this.#chosen];
    [next[from], next[from + by]] = [b, a];
    this.#choose(next);
  }

  /** Moves the algorithm with this key to index `to`. */
  place(key: string, to: number): void {
    const choice = this.#chosen.find((candidate) => choiceKey(candidate) === key);
    if (!choice) return;
    const rest = this.#chosen.filter((candidate) => candidate !== choice);
    rest.splice(to, 0, choice);
    this.#choose(rest);
  }

  /** Sets the draft of What-if, which is shown unless it is chosen already; null: none. */
  sketch(draft: AlgorithmChoice | null): void {
    if (canonical(draft) !== canonical(this.#draft)) this.#draft = draft;
  }

  #choose(choices: readonly AlgorithmChoice[]): void {
    this.#chosen = choices;
    this.#prefs.set('shown', [...choices]);
  }

  #list(): readonly Shown[] {
    const variants: Record<string, number> = {};
    const draft = this.#draft && !this.has(this.#draft) ? [this.#draft] : [];
    return [...this.#chosen, ...draft].flatMap((choice) => {
      const order = this.#specs.findIndex((spec) => spec.id === choice.id);
      const spec = this.#specs[order];
      if (!spec) return [];
      const preset = Object.keys(choice.params).length === 0;
      const variant = preset ? 0 : (variants[choice.id] ?? 0) + 1;
      if (!preset) variants[choice.id] = variant;
      const name = preset ? spec.name : `${spec.name}, ${describe(spec, choice.params)}`;
      return [{ key: choiceKey(choice), choice, spec, order, variant, name, draft: choice === this.#draft }];
    });
  }
}
