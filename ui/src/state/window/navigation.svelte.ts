import type { Prefs } from './prefs.svelte';
import { viewNamed, viewSpec, type ViewId } from './views';

/** The open view, and whether the import summary covers it. */
export class Navigation {
  #prefs: Prefs;
  #view = $state<ViewId>('timeline');
  #summary = $state(false);

  constructor(prefs: Prefs) {
    this.#prefs = prefs;
  }

  get view(): ViewId {
    return this.#view;
  }
  /** Whether the import summary of the current capture covers the view. */
  get summary(): boolean {
    return this.#summary;
  }

  /** Opens a view; the preferences keep it for the next start. */
  show(view: ViewId): void {
    this.#view = view;
    this.#prefs.set('view', view);
    this.#summary = false;
  }

  /** Shows the import summary over the view, or hides it. */
  showSummary(on: boolean): void {
    this.#summary = on;
  }

  /** Leaves the import summary, and a view that shows no capture. */
  showCapture(): void {
    this.#summary = false;
    if (viewSpec(this.#view).needs === 'nothing') this.#view = 'timeline';
  }

  /** Opens the view that was open last, unless the address names one. */
  resume(): void {
    const last = viewNamed(this.#prefs.get('view'));
    if (last && location.hash.length < 3) this.#view = last;
  }
}
