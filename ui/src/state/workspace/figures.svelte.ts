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
import { Overview } from './overview.svelte';

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

/** Numbers of captures that are left out of figures, by recipe; under the empty name those of all other recipes. */
export type LeftOut = Readonly<Record<string, readonly number[]>>;

/** Question of all figures: captures, algorithms, and settings of their replays. */
export interface Drawn {
  /** All open captures; each figure takes those that its recipe does not leave out. */
  sources: readonly Source[];
  algorithms: readonly AlgorithmChoice[];
  settings: ReplaySettings;
}

/**
 * The figure that is shown by itself, with its recipe, its switches and the drawing data; and the figures of all
 * recipes.
 */
export class Figures {
  readonly recipes = new Reply<readonly RecipeSpec[]>();
  /** Panels, marks, caption and table of the figure. */
  readonly figure = new Reply<FigureView>();
  /** Command line that writes the numbers of the figure again. */
  readonly line = new Reply<FigureLine>();
  /** Figures of all recipes, at the size of a thumbnail. */
  readonly overview: Overview;
  #backend: Backend;
  #prefs: Prefs;
  /** ID of the recipe that was shown by itself last; null before the first. */
  #last: string | null = null;
  #request = $state.raw<FigureRequest | null>(null);
  #leftOut = $state.raw<LeftOut>({});

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
    this.overview = new Overview(backend);
  }

  load(): void {
    void this.recipes.ask('recipes', () => this.#backend.call('recipes', null));
  }

  /** The recipe that is shown by itself; undefined where all are shown, and until recipes are known. */
  get recipe(): RecipeSpec | undefined {
    return this.recipes.value?.find(({ id }) => id === this.#prefs.get('recipe'));
  }
  /** Whether all recipes are shown beside each other, as where the session of another version names none of them. */
  get together(): boolean {
    return this.#prefs.get('recipe') === null || (this.recipes.value !== undefined && this.recipe === undefined);
  }
  /** Shows one figure by itself; null: all beside each other. What is under way for others is stopped. */
  choose(id: string | null): void {
    if ((id === null) !== this.together) this.leave();
    this.#last = id ?? this.recipe?.id ?? this.#last;
    this.#prefs.set('recipe', id);
  }
  /** Shows the figure that was shown last, else the first. */
  chooseLast(): void {
    this.choose(this.#last ?? this.recipes.value?.[0]?.id ?? null);
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

  /** The captures that are left out of figures. */
  get leftOut(): LeftOut {
    return this.#leftOut;
  }
  leaveOut(captures: LeftOut): void {
    this.#leftOut = captures;
  }
  /** Whether a capture stands in the figure of a recipe; without one, in that which is shown by itself. */
  takes(capture: number, recipe = this.recipe?.id): boolean {
    return !this.#without(recipe).includes(capture);
  }
  /** Takes captures into the figure that is shown by itself, or leaves them out; where all are shown, of all. */
  take(captures: readonly number[], taken: boolean): void {
    const recipes = this.recipe ? [this.recipe.id] : ['', ...Object.keys(this.#leftOut)];
    const next = (recipe: string) => {
      const others = this.#without(recipe).filter((capture) => !captures.includes(capture));
      return taken ? others : [...others, ...captures];
    };
    this.#leftOut = { ...this.#leftOut, ...Object.fromEntries(recipes.map((recipe) => [recipe, next(recipe)])) };
  }
  #without(recipe = ''): readonly number[] {
    return this.#leftOut[recipe] ?? this.#leftOut[''] ?? [];
  }

  /** Asks for the figure that is shown by itself; equal requests are sent once. */
  want(drawn: Drawn): void {
    const recipe = this.recipe;
    if (!recipe) return;
    const request = this.#requestOf(recipe, drawn);
    this.#request = request;
    void this.figure.ask(canonical(request), (asking) => this.#backend.call('figure', request, asking));
  }

  /** Asks for the figures of all recipes, one after the other. */
  wantAll(drawn: Drawn): void {
    const recipes = this.recipes.value ?? [];
    void this.overview.want(recipes.map((recipe) => this.#requestOf(recipe, drawn)));
  }

  /** Stops what is under way: nobody looks at figures any more. */
  leave(): void {
    this.figure.cancel();
    this.overview.stop();
  }

  #requestOf({ id: recipe }: RecipeSpec, { sources, algorithms, settings }: Drawn): FigureRequest {
    const { channel, workload, seed, replicates, policy } = settings;
    return {
      recipe,
      captures: sources.filter(({ id }) => this.takes(id, recipe)).map(requested),
      algorithms: [...algorithms],
      params: { ...this.switches(recipe) },
      channel,
      workload,
      seed,
      replicates,
      ...(policy && { policy }),
    };
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

function requested({ id, title, tags, part, nodes = [] }: Source): FigureRequest['captures'][number] {
  // A place moves nothing in a figure: only names are part of the question.
  const named = nodes.flatMap(({ node, name }) => (name === null ? [] : [{ node, name, place: null }]));
  return {
    ...{ capture: id, name: title, tags: { ...tags } },
    ...(part && { part }),
    ...(named.length > 0 && { nodes: named }),
  };
}

function hex(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}
