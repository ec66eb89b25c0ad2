import { canonical } from '../../ipc/canonical';
import type { AlgorithmChoice, AlgorithmSpec, ParamSpec, ParamValue } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';

export type Params = AlgorithmChoice['params'];

/** An algorithm that is shown in every view. */
export interface Shown {
  /** Equal for equal settings. */
  key: string;
  choice: AlgorithmChoice;
  spec: AlgorithmSpec;
  /** Place in the registry: decides colour, dash and marker. */
  order: number;
  /** 0 for the preset, else a number that tells variants of one preset apart. */
  variant: number;
  /** For people: `CoCoA`, `CoCoA, K strong 3`. */
  name: string;
  /** True for the algorithm that is edited in What-if and not yet added. */
  draft: boolean;
}

export function choiceKey(choice: AlgorithmChoice): string {
  return Object.keys(choice.params).length === 0 ? choice.id : `${choice.id} ${canonical(choice.params)}`;
}

/** The overrides that differ from the preset. */
export function overrides(spec: AlgorithmSpec, params: Params): Params {
  const kept = Object.entries(params).filter(([name, value]) => {
    const param = spec.params.find((candidate) => candidate.name === name);
    if (param === undefined || String(value) === String(param.default)) return false;
    return toNumber(value) !== toNumber(param.default);
  });
  return Object.fromEntries(kept);
}

/** A parameter's value as a number: `1/8` is 0.125; NaN when it is none. */
export function toNumber(value: ParamValue | boolean): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  const fraction = /^\s*(-?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value);
  if (fraction) return Number(fraction[1]) / Number(fraction[2]);
  const text = value.trim().replace(',', '.').replace('\u2212', '-');
  return text === '' ? NaN : Number(text);
}

/** A value that is no number, as people read it. */
export function labelOf(spec: ParamSpec, value: ParamValue | boolean): string {
  return spec.choices.find(({ name }) => name === value)?.label ?? String(value);
}

/** `K strong 3, α 1/8`. */
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

/** The registry of algorithms, and the ones that are shown. */
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

  get specs(): readonly AlgorithmSpec[] {
    return this.#specs;
  }
  /** In the reader's order; the draft last. */
  get shown(): readonly Shown[] {
    return this.#shown;
  }

  load(specs: readonly AlgorithmSpec[], defaults: readonly string[]): void {
    this.#specs = specs;
    const known = (choice: AlgorithmChoice) => specs.some((spec) => spec.id === choice.id);
    const stored = (this.#prefs.get('startWith') ?? this.#prefs.get('shown'))?.filter(known);
    this.#chosen = stored ?? defaults.map((id) => ({ id, params: {} })).filter(known);
  }

  /** Replaces the registry and shows the algorithms that were just loaded. */
  learn(specs: readonly AlgorithmSpec[], loaded: readonly string[]): void {
    this.#specs = specs;
    for (const id of loaded) this.add({ id, params: {} });
  }

  spec(id: string): AlgorithmSpec | undefined {
    return this.#specs.find((spec) => spec.id === id);
  }

  has(choice: AlgorithmChoice): boolean {
    const key = choiceKey(choice);
    return this.#chosen.some((other) => choiceKey(other) === key);
  }

  /** True for algorithms that are offered first: defaults, all presets of the reader, and those shown already. */
  offeredFirst(spec: AlgorithmSpec): boolean {
    return spec.default || this.has({ id: spec.id, params: {} });
  }

  add(choice: AlgorithmChoice): void {
    if (!this.has(choice)) this.#choose([...this.#chosen, choice]);
  }

  /** Shows these and no others. */
  show(choices: readonly AlgorithmChoice[]): void {
    if (canonical(choices) !== canonical(this.#chosen)) this.#choose(choices);
  }

  /** Chosen by the reader and in the registry; without the draft. */
  get chosen(): readonly AlgorithmChoice[] {
    return this.#known;
  }

  remove(key: string): void {
    this.#choose(this.#chosen.filter((choice) => choiceKey(choice) !== key));
  }

  /** Move one place up (-1) or down (+1). */
  move(key: string, by: -1 | 1): void {
    const from = this.#chosen.findIndex((choice) => choiceKey(choice) === key);
    const [a, b] = [this.#chosen[from], this.#chosen[from + by]];
    if (!a || !b) return;
    const next = [...this.#chosen];
    [next[from], next[from + by]] = [b, a];
    this.#choose(next);
  }

  /** Put `key` at place `to`. */
  place(key: string, to: number): void {
    const choice = this.#chosen.find((candidate) => choiceKey(candidate) === key);
    if (!choice) return;
    const rest = this.#chosen.filter((candidate) => candidate !== choice);
    rest.splice(to, 0, choice);
    this.#choose(rest);
  }

  /** Sets the draft of What-if; it is shown unless it is chosen already. */
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
