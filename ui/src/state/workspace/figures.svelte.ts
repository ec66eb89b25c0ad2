import { canonical } from '../../ipc/canonical';
import type { Backend } from '../../ipc/backend';
import type {
  AlgorithmChoice,
  FigureLine,
  FigureRequest,
  FigureView,
  PartView,
  RecipeSpec,
  SessionNode,
} from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';
import { Reply } from '../replies/reply.svelte';
import type { ReplaySettings } from '../replay/runs.svelte';
import type { TagSet } from '../library/tags.svelte';

/** Switches of a figure that are not at their defaults, by name. */
export type Switches = FigureRequest['params'];

/** A capture that may stand in figures. */
export interface Source {
  id: number;
  title: string;
  tags: TagSet;
  /** Part of it that is replayed; absent: all. */
  part?: PartView;
  /** Names and places that the reader gave nodes. */
  nodes?: readonly SessionNode[];
}

/** The chosen figure: its recipe, its switches, and the drawing data. */
export class Figures {
  readonly recipes = new Reply<readonly RecipeSpec[]>();
  /** Panels, marks, caption and table of the figure. */
  readonly figure = new Reply<FigureView>();
  /** Command line that writes the numbers of the figure again. */
  readonly line = new Reply<FigureLine>();
  #backend: Backend;
  #prefs: Prefs;
  #request = $state.raw<FigureRequest | null>(null);
  /** Captures left out of figures, by number. */
  #without = $state.raw<readonly number[]>([]);

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  load(): void {
    void this.recipes.ask('recipes', () => this.#backend.call('recipes', null));
  }

  /** The chosen recipe, else the first; undefined until recipes are known. */
  get recipe(): RecipeSpec | undefined {
    const all = this.recipes.value;
    return all?.find(({ id }) => id === this.#prefs.get('recipe')) ?? all?.[0];
  }
  choose(id: string): void {
    this.#prefs.set('recipe', id);
  }

  /** The switches of a recipe that are not at their defaults. */
  switches(id: string): Switches {
    return this.#prefs.get('figures')[id] ?? {};
  }
  /** Sets a switch of a recipe. */
  set(id: string, name: string, value: number | string | boolean): void {
    this.#prefs.set('figures', { ...this.#prefs.get('figures'), [id]: { ...this.switches(id), [name]: value } });
  }
  /** Resets a switch of a recipe to its default. */
  reset(id: string, name: string): void {
    const kept = Object.fromEntries(Object.entries(this.switches(id)).filter(([other]) => other !== name));
    this.#prefs.set('figures', { ...this.#prefs.get('figures'), [id]: kept });
  }

  /** Numbers of the captures that are left out of figures. */
  get without(): readonly number[] {
    return this.#without;
  }
  leaveOut(captures: readonly number[]): void {
    this.#without = captures;
  }
  /** Whether a capture stands in figures. */
  takes(capture: number): boolean {
    return !this.#without.includes(capture);
  }
  /** Leaves a capture out of figures, or takes it in again. */
  toggle(capture: number): void {
    this.#without = this.takes(capture)
      ? [...this.#without, capture]
      : this.#without.filter((other) => other !== capture);
  }

  /** Asks for the figure of these captures; equal requests are sent once. */
  want(sources: readonly Source[], algorithms: readonly AlgorithmChoice[], settings: ReplaySettings): void {
    const recipe = this.recipe;
    if (!recipe) return;
    const { channel, workload, seed, replicates, policy } = settings;
    const request: FigureRequest = {
      recipe: recipe.id,
      captures: sources.map(({ id, title, tags, part, nodes = [] }) => {
        // A place moves nothing in a figure: only names are part of the question.
        const named = nodes.flatMap(({ node, name }) => (name === null ? [] : [{ node, name, place: null }]));
        return {
          ...{ capture: id, name: title, tags: { ...tags } },
          ...(part && { part }),
          ...(named.length > 0 && { nodes: named }),
        };
      }),
      algorithms: [...algorithms],
      params: { ...this.switches(recipe.id) },
      channel,
      workload,
      seed,
      replicates,
      ...(policy && { policy }),
    };
    this.#request = request;
    void this.figure.ask(canonical(request), (asking) => this.#backend.call('figure', request, asking));
  }

  /** Asks for the command line of the latest figure. */
  wantLine(): void {
    const request = this.#request;
    if (!request) return;
    void this.line.ask(canonical(request), ({ signal }) => this.#backend.call('figure_line', request, { signal }));
  }

  /**
   * Asks for a place and writes the table there; resolves with the path, null when dismissed. Rejects where it cannot
   * be written.
   */
  async saveTable(format: 'csv' | 'parquet' | 'latex' | 'markdown' | 'json'): Promise<string | null> {
    const figure = this.#request;
    const extension = { csv: 'csv', parquet: 'parquet', latex: 'tex', markdown: 'md', json: 'json' }[format];
    if (!figure) return null;
    const path = await this.#backend.save(`${figure.recipe}.${extension}`);
    if (path === null) return null;
    await this.#backend.call('export_figure', { figure, format, path });
    return path;
  }

  /**
   * Asks for a place and writes a picture there; resolves with the path, null when dismissed. A picture crosses the
   * bridge as text, octets as hexadecimal digits. Rejects where it cannot be written.
   */
  async savePicture(kind: 'svg' | 'png', picture: string | Blob, name = this.#request?.recipe): Promise<string | null> {
    const path = await this.#backend.save(`${name ?? 'figure'}.${kind}`);
    if (path === null) return null;
    const content = typeof picture === 'string' ? picture : hex(new Uint8Array(await picture.arrayBuffer()));
    await this.#backend.call('export_picture', { path, content });
    return path;
  }
}

function hex(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}
