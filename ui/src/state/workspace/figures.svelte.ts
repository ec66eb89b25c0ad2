import { canonical } from '../../ipc/canonical';
import type { Backend } from '../../ipc/backend';
import type { AlgorithmChoice, FigureLine, FigureRequest, FigureView, PartView, RecipeSpec } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';
import { Reply } from '../replies/reply.svelte';
import type { ReplaySettings } from '../replay/runs.svelte';
import type { TagSet } from '../library/tags.svelte';

export type Switches = FigureRequest['params'];

/** A capture that may stand in figures. */
export interface Source {
  id: number;
  title: string;
  tags: TagSet;
  /** Clients that are replayed; without it, all. */
  part?: PartView;
}

/** The chosen figure: its recipe, its switches, and the drawing data. */
export class Figures {
  readonly recipes = new Reply<readonly RecipeSpec[]>();
  readonly figure = new Reply<FigureView>();
  /** The command line that writes its numbers again. */
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
  set(id: string, name: string, value: number | string | boolean): void {
    this.#prefs.set('figures', { ...this.#prefs.get('figures'), [id]: { ...this.switches(id), [name]: value } });
  }
  reset(id: string, name: string): void {
    const kept = Object.fromEntries(Object.entries(this.switches(id)).filter(([other]) => other !== name));
    this.#prefs.set('figures', { ...this.#prefs.get('figures'), [id]: kept });
  }

  /** Captures left out. */
  get without(): readonly number[] {
    return this.#without;
  }
  leaveOut(captures: readonly number[]): void {
    this.#without = captures;
  }
  takes(capture: number): boolean {
    return !this.#without.includes(capture);
  }
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
      captures: sources.map(({ id, title, tags, part }) => ({
        capture: id,
        name: title,
        tags: { ...tags },
        ...(part && { part }),
      })),
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

  /** Writes the table; resolves with the path, or null when none was chosen. */
  async saveTable(format: 'csv' | 'parquet' | 'latex' | 'markdown' | 'json'): Promise<string | null> {
    const figure = this.#request;
    const extension = { csv: 'csv', parquet: 'parquet', latex: 'tex', markdown: 'md', json: 'json' }[format];
    if (!figure) return null;
    const path = await this.#backend.save(`${figure.recipe}.${extension}`);
    if (path === null) return null;
    await this.#backend.call('export_figure', { figure, format, path });
    return path;
  }

  /** Writes an image, by default of the latest figure. It crosses the bridge as text, octets as hexadecimal digits. */
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
