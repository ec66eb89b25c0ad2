import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import type { CaptureView, TagView } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';
import { Reply } from '../replies/reply.svelte';

/** Tags of a capture, value by key. */
export type TagSet = Readonly<Record<string, string>>;

/** Keys that are always offered, in this order. */
export const TAG_KEYS = ['nodes', 'load', 'topology', 'mac', 'preset'] as const;

/** Tags of captures: the core's proposals with the reader's changes, which are stored by the SHA-256 of the file. */
export class Tags {
  #backend: Backend;
  #prefs: Prefs;
  #proposed = new SvelteMap<number, Reply<readonly TagView[]>>();
  #asked = new SvelteMap<number, Promise<void>>();

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** Asks for the proposed tags of a capture; resolves when they are known or have failed. */
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

  /** Whether the proposals have come or failed. */
  known(capture: number): boolean {
    const reply = this.#proposed.get(capture);
    return reply !== undefined && (reply.value !== undefined || reply.failure !== undefined);
  }

  /** The core's proposals for a capture; empty until they are known. */
  proposals(capture: number): readonly TagView[] {
    return this.#proposed.get(capture)?.value ?? [];
  }

  /**
   * Tags of a capture: the proposals, replaced by the reader's own; an empty value of the reader removes a proposal.
   */
  of(view: CaptureView): TagSet {
    const said = Object.fromEntries(this.proposals(view.id).map(({ key, value }) => [key, value]));
    const all = { ...said, ...this.#prefs.get('tags')[view.sha256] };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  /** Sets a tag of a capture; an empty value removes it. */
  set(view: CaptureView, key: string, value: string): void {
    const mine = { ...this.#prefs.get('tags')[view.sha256], [key]: value.trim() };
    const proposed = this.proposals(view.id).find((tag) => tag.key === key)?.value ?? '';
    const kept = Object.fromEntries(
      Object.entries(mine).filter(([other]) => other !== key || value.trim() !== proposed),
    );
    this.#prefs.set('tags', { ...this.#prefs.get('tags'), [view.sha256]: kept });
  }

  /** Gives a capture exactly `tags`, as a session file has them: other proposals are removed. */
  async adopt(view: CaptureView, tags: TagSet): Promise<void> {
    await this.want(view.id);
    for (const key of [...Object.keys(this.of(view)), ...Object.keys(tags)])
      this.set(view, key, Object.hasOwn(tags, key) ? (tags[key] ?? '') : '');
  }
}
