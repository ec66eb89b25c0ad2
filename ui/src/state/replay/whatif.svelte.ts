import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type {
  AlgorithmChoice,
  AlgorithmSpec,
  ParamSpec,
  SessionSweep,
  SweepPoint,
  SweepRequest,
} from '../../ipc/gen/types';
import { overrides, toNumber, type Params } from './algorithms.svelte';
import { Reply } from '../replies/reply.svelte';
import { Runs, type ReplaySettings } from './runs.svelte';

/** Letters of kept settings: A and B are measures of the plane. */
const LETTERS = ['C', 'D', 'E'];

/** Replicates of a sweep. It shows a trend, not results: few keep it quick. */
const SWEEP_REPLICATES = 20;

export interface Snapshot {
  letter: string;
  choice: AlgorithmChoice;
}

interface Settings {
  id: string;
  params: Params;
}

export const PICTURES = ['plane', 'curve', 'map'] as const;
/** Drawings of a sweep: burden against wait, one measure over one parameter, or over two. */
export type Picture = (typeof PICTURES)[number];

/** The experiment of What-if: an algorithm, its changed parameters, and settings kept beside them. */
export class WhatIf {
  #settings = $state.raw<Settings>({ id: '', params: {} });
  #snapshots = $state.raw<readonly Snapshot[]>([]);
  #swept = $state<string | null>(null);
  #across = $state<string | null>(null);
  #picture = $state<Picture>('plane');
  #measure = $state<string | null>(null);

  get id(): string {
    return this.#settings.id;
  }
  get params(): Params {
    return this.#settings.params;
  }
  /** The algorithm with its published parameters. */
  get preset(): AlgorithmChoice {
    return { id: this.id, params: {} };
  }
  /** The algorithm with its present parameters. */
  get now(): AlgorithmChoice {
    return { id: this.id, params: this.params };
  }
  get changed(): boolean {
    return Object.keys(this.params).length > 0;
  }
  get snapshots(): readonly Snapshot[] {
    return this.#snapshots;
  }
  get nextLetter(): string | undefined {
    return LETTERS.find((letter) => !this.#snapshots.some((snapshot) => snapshot.letter === letter));
  }
  /** Starts from another algorithm. */
  choose(id: string, params: Params = {}): void {
    if (id === this.id && canonical(params) === canonical(this.params)) return;
    this.#settings = { id, params };
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.choice.id === id);
    this.#swept = null;
  }

  /** Set one parameter; its default removes the override. */
  set(spec: AlgorithmSpec, name: string, value: number | string | boolean): void {
    const params = overrides(spec, { ...this.params, [name]: value });
    if (canonical(params) !== canonical(this.params)) this.#settings = { id: spec.id, params };
  }

  reset(name?: string): void {
    const params =
      name === undefined ? {} : Object.fromEntries(Object.entries(this.params).filter(([key]) => key !== name));
    if (canonical(params) !== canonical(this.params)) this.#settings = { id: this.id, params };
  }

  keep(): string | undefined {
    const letter = this.nextLetter;
    if (letter && this.changed) this.#snapshots = [...this.#snapshots, { letter, choice: this.now }];
    return letter;
  }

  drop(letter: string): void {
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.letter !== letter);
  }

  /** The parameter that the trade-off curve runs over. */
  swept(spec: AlgorithmSpec): ParamSpec | undefined {
    return spec.params.find((param) => param.name === this.#swept) ?? sweepable(spec)[0];
  }

  sweep(name: string): void {
    this.#swept = name;
  }

  /** The other parameter of the map; undefined where an algorithm has only one. */
  across(spec: AlgorithmSpec): ParamSpec | undefined {
    const others = sweepable(spec).filter(({ name }) => name !== this.swept(spec)?.name);
    return others.find(({ name }) => name === this.#across) ?? others[0];
  }

  sweepAcross(name: string): void {
    this.#across = name;
  }

  get picture(): Picture {
    return this.#picture;
  }
  draw(picture: Picture): void {
    this.#picture = picture;
  }
  /** The measure of curves and maps; null: the first headline. */
  get measure(): string | null {
    return this.#measure;
  }
  measureBy(name: string): void {
    this.#measure = name;
  }

  /** The sweep and its drawing, for session files and undo. */
  get sweeping(): SessionSweep {
    return { picture: this.#picture, over: this.#swept, across: this.#across, measure: this.#measure };
  }
  resweep({ picture, over, across, measure }: SessionSweep): void {
    this.#picture = PICTURES.find((known) => known === picture) ?? 'plane';
    [this.#swept, this.#across, this.#measure] = [over, across, measure];
  }

  /** Settings kept in an earlier session, of the algorithm that is chosen. */
  restore(kept: readonly AlgorithmChoice[]): void {
    this.#snapshots = kept
      .filter(({ id }) => id === this.id)
      .flatMap((choice, index) => {
        const letter = LETTERS[index];
        return letter ? [{ letter, choice }] : [];
      });
  }
}

/** Parameters a curve can run over; multipliers and times first, since they matter most (METRICS 1.3). */
export function sweepable(spec: AlgorithmSpec): ParamSpec[] {
  const order = ['factor', 'seconds', 'ratio', 'count'];
  return spec.params
    .filter((param) => param.unit !== 'choice' && Number.isFinite(toNumber(param.default)))
    .sort((a, b) => order.indexOf(a.unit) - order.indexOf(b.unit));
}

/** Values around the default, a half octave apart, within the legal range. */
export function sweepValues(param: ParamSpec): number[] {
  const centre = toNumber(param.default);
  const [min, max] = [param.min ?? -Infinity, param.max ?? Infinity];
  const inside = (value: number) => value >= min && value <= max;
  if (param.unit === 'count') {
    const low = Math.max(0, Number.isFinite(min) ? min : 0);
    return Array.from({ length: 9 }, (_, k) => low + k).filter(inside);
  }
  const base = centre > 0 ? centre : Number.isFinite(max) && max > 0 ? max / 8 : 1;
  const values = Array.from({ length: 13 }, (_, k) => Number((base * 2 ** ((k - 6) / 2)).toPrecision(3))).filter(
    inside,
  );
  return values.includes(centre) || !inside(centre) ? values : [...values, centre].sort((a, b) => a - b);
}

/** Every other value of a curve, the default among them: a map asks for each with each. */
export function mapValues(param: ParamSpec): number[] {
  const values = sweepValues(param);
  const centre = Math.max(0, values.indexOf(toNumber(param.default)));
  return values.filter((_, index) => (index - centre) % 2 === 0);
}

/** The replies to the experiment on one capture. */
export class Experiment {
  readonly runs: Runs;
  readonly map = new Reply<readonly SweepPoint[]>();
  #curves = new SvelteMap<string, Reply<readonly SweepPoint[]>>();
  #backend: Backend;
  #capture: number;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
    this.runs = new Runs(backend, capture);
  }

  /** Ask for the curve of `choice` over `param`; `slot` names the curve in the plot. */
  wantCurve(slot: string, choice: AlgorithmChoice, param: ParamSpec, settings: ReplaySettings): void {
    const request = this.#sweep(choice, param, sweepValues(param), settings);
    let reply = untrack(() => this.#curves.get(slot));
    if (!reply) this.#curves.set(slot, (reply = new Reply()));
    void reply.ask(canonical(request), (asking) => this.#backend.call('sweep', request, asking));
  }

  /** Ask for every value of `param` with every value of `across`. */
  wantMap(choice: AlgorithmChoice, param: ParamSpec, across: ParamSpec, settings: ReplaySettings): void {
    const request: SweepRequest = {
      ...this.#sweep(choice, param, mapValues(param), settings),
      across: { parameter: across.name, values: mapValues(across) },
    };
    void this.map.ask(canonical(request), (asking) => this.#backend.call('sweep', request, asking));
  }

  #sweep(choice: AlgorithmChoice, param: ParamSpec, values: number[], settings: ReplaySettings): SweepRequest {
    const { channel, workload, seed, replicates, policy, part } = settings;
    return {
      ...(policy && { policy }),
      ...(part && { part }),
      ...{ channel, workload, seed, values, capture: this.#capture, algorithm: choice, parameter: param.name },
      across: null,
      replicates: Math.min(replicates, SWEEP_REPLICATES),
    };
  }

  /** Forget curves that are not among `slots`. */
  keepCurves(slots: readonly string[]): void {
    for (const slot of untrack(() => [...this.#curves.keys()])) if (!slots.includes(slot)) this.#curves.delete(slot);
  }

  curve(slot: string): readonly SweepPoint[] | undefined {
    return this.#curves.get(slot)?.value;
  }
}
