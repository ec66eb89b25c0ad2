import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import type { CaptureView, TagView } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';
import { Reply } from '../replies/reply.svelte';

/** What is said of a capture. */
export type TagSet = Readonly<Record<string, string>>;

/** Keys that are always offered, in this order; others are the reader's own. */
export const TAG_KEYS = ['nodes', 'load', 'topology', 'mac', 'preset'] as const;

/** Tags of captures: proposals of the core, and what the reader made of them, kept by the file's content. */
export class Tags {
  #backend: Backend;
  #prefs: Prefs;
  #proposed = new SvelteMap<number, Reply<readonly TagView[]>>();
  #asked = new SvelteMap<number, Promise<void>>();

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** Ask what may be said of a capture; resolves when that is known. */
  async want(capture: number): Promise<void> {
    let reply = untrack(() => this.#proposed.get(capture));
    if (!reply) {
      reply = new Reply<readonly TagView[]>();
      this.#proposed.set(capture, reply);
      this.#asked.set(
        capture,
        reply.ask('tags', ({ signal }) => this.#backend.call('proposed_tags', { capture }, { signal })),
      );
    }
    await untrack(() => this.#asked.get(capture));
  }

  /** Whether the proposals are there. */
  known(capture: number): boolean {
    const reply = this.#proposed.get(capture);
    return reply !== undefined && (reply.value !== undefined || reply.failure !== undefined);
  }

  proposals(capture: number): readonly TagView[] {
    return this.#proposed.get(capture)?.value ?? [];
  }

  /** Proposals, then the reader's: an empty value takes a proposal back. */
  of(view: CaptureView): TagSet {
    const said = Object.fromEntries(this.proposals(view.id).map(({ key, value }) => [key, value]));
    const all = { ...said, ...this.#prefs.get('tags')[view.sha256] };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  /** Say `key` of a capture; an empty value says nothing. */
  set(view: CaptureView, key: string, value: string): void {
    const mine = { ...this.#prefs.get('tags')[view.sha256], [key]: value.trim() };
    const proposed = this.proposals(view.id).find((tag) => tag.key === key)?.value ?? '';
    const kept = Object.fromEntries(
      Object.entries(mine).filter(([other]) => other !== key || value.trim() !== proposed),
    );
    this.#prefs.set('tags', { ...this.#prefs.get('tags'), [view.sha256]: kept });
  }

  /** Say exactly `tags` of a capture, as a session file has them: other proposals are taken back. */
  async adopt(view: CaptureView, tags: TagSet): Promise<void> {
    await this.want(view.id);
    for (const key of [...Object.keys(this.of(view)), ...Object.keys(tags)])
      this.set(view, key, Object.hasOwn(tags, key) ? (tags[key] ?? '') : '');
  }
}
