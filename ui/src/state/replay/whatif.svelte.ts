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

/** Letters of kept settings, at most three; A and B could be taken for measures of the plane. */
const LETTERS = ['C', 'D', 'E'];

/** Most replicates of each point of a sweep: it shows a trend, and few keep it quick. */
const SWEEP_REPLICATES = 20;

/** Settings that were kept beside the present ones, with their letter. */
export interface Snapshot {
  letter: string;
  choice: AlgorithmChoice;
}

interface Settings {
  id: string;
  params: Params;
}

/** The drawings, in the order of the menu. */
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

  /** ID of the algorithm; empty before the start. */
  get id(): string {
    return this.#settings.id;
  }
  /** Parameters that differ from the defaults. */
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
  /** Letter of the next settings that are kept; undefined where all are used. */
  get nextLetter(): string | undefined {
    return LETTERS.find((letter) => !this.#snapshots.some((snapshot) => snapshot.letter === letter));
  }
  /** Chooses the algorithm and its parameters; kept settings of another algorithm are dropped. */
  choose(id: string, params: Params = {}): void {
    if (id === this.id && canonical(params) === canonical(this.params)) return;
    this.#settings = { id, params };
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.choice.id === id);
    this.#swept = null;
  }

  /** Sets one parameter; its default removes the override. */
  set(spec: AlgorithmSpec, name: string, value: number | string | boolean): void {
    const params = overrides(spec, { ...this.params, [name]: value });
    if (canonical(params) !== canonical(this.params)) this.#settings = { id: spec.id, params };
  }

  /** Resets one parameter, or all, to the default. */
  reset(name?: string): void {
    const params =
      name === undefined ? {} : Object.fromEntries(Object.entries(this.params).filter(([key]) => key !== name));
    if (canonical(params) !== canonical(this.params)) this.#settings = { id: this.id, params };
  }

  /**
   * Keeps the present settings where they differ from the preset, and returns their letter; undefined where no letter
   * is left.
   */
  keep(): string | undefined {
    const letter = this.nextLetter;
    if (letter && this.changed) this.#snapshots = [...this.#snapshots, { letter, choice: this.now }];
    return letter;
  }

  /** Drops the kept setting with this letter. */
  drop(letter: string): void {
    this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.letter !== letter);
  }

  /**
   * The parameter that curves and maps run over: the chosen one, else the first that can be swept; undefined without
   * any.
   */
  swept(spec: AlgorithmSpec): ParamSpec | undefined {
    return spec.params.find((param) => param.name === this.#swept) ?? sweepable(spec)[0];
  }

  /** Chooses the parameter that curves and maps run over. */
  sweep(name: string): void {
    this.#swept = name;
  }

  /** The other parameter of the map; undefined where the algorithm has only one. */
  across(spec: AlgorithmSpec): ParamSpec | undefined {
    const others = sweepable(spec).filter(({ name }) => name !== this.swept(spec)?.name);
    return others.find(({ name }) => name === this.#across) ?? others[0];
  }

  /** Chooses the other parameter of the map. */
  sweepAcross(name: string): void {
    this.#across = name;
  }

  get picture(): Picture {
    return this.#picture;
  }
  draw(picture: Picture): void {
    this.#picture = picture;
  }
  /** Name of the measure of curves and maps; null: the first headline. */
  get measure(): string | null {
    return this.#measure;
  }
  measureBy(name: string): void {
    this.#measure = name;
  }

  /** The sweep and its drawing, as session files and undo have them. */
  get sweeping(): SessionSweep {
    return { picture: this.#picture, over: this.#swept, across: this.#across, measure: this.#measure };
  }
  /** Restores the sweep and its drawing. */
  resweep({ picture, over, across, measure }: SessionSweep): void {
    this.#picture = PICTURES.find((known) => known === picture) ?? 'plane';
    [this.#swept, this.#across, this.#measure] = [over, across, measure];
  }

  /** Restores the kept settings of the chosen algorithm. */
  restore(kept: readonly AlgorithmChoice[]): void {
    this.#snapshots = kept
      .filter(({ id }) => id === this.id)
      .flatMap((choice, index) => {
        const letter = LETTERS[index];
        return letter ? [{ letter, choice }] : [];
      });
  }
}

/**
 * Parameters that a curve can run over: factors, then times, ratios, counts. Chosen here: the minimum of the RTO
 * decides more of its quality than weights do (Allman & Paxson 1999, abstract).
 */
export function sweepable(spec: AlgorithmSpec): ParamSpec[] {
  const order = ['factor', 'seconds', 'ratio', 'count'];
  return spec.params
    .filter((param) => param.unit !== 'choice' && Number.isFinite(toNumber(param.default)))
    .sort((a, b) => order.indexOf(a.unit) - order.indexOf(b.unit));
}

/**
 * Values of a curve: 13 around the default, half an octave apart, within the legal range, and the default itself; for a
 * count nine from its minimum on.
 */
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

/** Values of a map: every other one of a curve, the default among them, because each is replayed with each. */
export function mapValues(param: ParamSpec): number[] {
  const values = sweepValues(param);
  const centre = Math.max(0, values.indexOf(toNumber(param.default)));
  return values.filter((_, index) => (index - centre) % 2 === 0);
}

/** Replies to the experiment on one capture. */
export class Experiment {
  /** Runs of the present settings, the preset and the kept ones. */
  readonly runs: Runs;
  /** Points of the map. */
  readonly map = new Reply<readonly SweepPoint[]>();
  #curves = new SvelteMap<string, Reply<readonly SweepPoint[]>>();
  #backend: Backend;
  #capture: number;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
    this.runs = new Runs(backend, capture);
  }

  /** Asks for the curve of `choice` over `param`; `slot` names the curve in the plot. */
  wantCurve(slot: string, choice: AlgorithmChoice, param: ParamSpec, settings: ReplaySettings): void {
    const request = this.#sweep(choice, param, sweepValues(param), settings);
    let reply = untrack(() => this.#curves.get(slot));
    if (!reply) this.#curves.set(slot, (reply = new Reply()));
    void reply.ask(canonical(request), (asking) => this.#backend.call('sweep', request, asking));
  }

  /** Asks for the map: every value of `param` with every value of `across`. */
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

  /** Forgets curves that are not among `slots`. */
  keepCurves(slots: readonly string[]): void {
    for (const slot of untrack(() => [...this.#curves.keys()])) if (!slots.includes(slot)) this.#curves.delete(slot);
  }

  /** Points of the curve; undefined until they are known. */
  curve(slot: string): readonly SweepPoint[] | undefined {
    return this.#curves.get(slot)?.value;
  }
}
