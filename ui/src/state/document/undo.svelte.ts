import { untrack } from 'svelte';
import { CAPTURE_FIELDS } from '../capture/fields';
import { firstChange, setValues, valuesOf, type Field, type Values } from '../fields/field';
import { History } from '../fields/history.svelte';
import { WINDOW_FIELDS, type Holder } from './fields';

/** Values of all fields that undo takes back: those of the window, and those of each open capture by its number. */
interface Step {
  window: Values;
  captures: Readonly<Record<number, Values>>;
}

/** One difference between two steps. */
interface Change {
  name: string;
  field: Pick<Field<never, never, unknown>, 'undo' | 'stroke'>;
  from: unknown;
  to: unknown;
}

/**
 * Undo and redo of every change of the document, from any source: the fields are watched, not the commands. A capture
 * that was closed meanwhile is skipped.
 */
export class Undo {
  #holder: Holder;
  #history = $state.raw<History<Step> | null>(null);
  /** Name of the change that led to each step. */
  #names = new WeakMap<Step, string>();

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  get canUndo(): boolean {
    return this.#history?.canUndo ?? false;
  }
  get canRedo(): boolean {
    return this.#history?.canRedo ?? false;
  }
  /** Name of the change that undo takes back, such as `the window of time`. */
  get what(): string {
    const now = this.#history?.now;
    return (now && this.#names.get(now)) ?? 'the change';
  }

  /** Records the values of all fields. For an effect, which runs again when one changes. */
  watch(): void {
    const now = this.#look();
    untrack(() => this.#note(now));
  }

  undo(): void {
    this.#history?.undo();
    this.#apply();
  }

  redo(): void {
    this.#history?.redo();
    this.#apply();
  }

  #look(): Step {
    const captures = this.#holder.library.captures;
    return {
      window: valuesOf(WINDOW_FIELDS, this.#holder),
      captures: Object.fromEntries(captures.map((capture) => [capture.id, valuesOf(CAPTURE_FIELDS, capture)])),
    };
  }

  #note(now: Step): void {
    const history = this.#history;
    const { library, workspace } = this.#holder;
    if (!history) {
      // Until the program has started, nothing is the reader's doing.
      if (workspace.whatIf.id !== '') this.#history = new History(now);
      return;
    }
    const change = changeBetween(history.now, now);
    if (change === null) return;
    // A window that follows the playhead is not the reader's doing, nor is it a step that captures come and go.
    const moving = library.captures.some(({ playback }) => playback.playing);
    if (change === 'captures' || (moving && change.name === 'window')) {
      history.amend(now);
      return;
    }
    const { name, field, from, to } = change;
    if (field.undo) this.#names.set(now, field.undo);
    if (!field.stroke) history.seal();
    history.set(now, `${name} ${field.stroke?.(from, to) ?? ''}`);
  }

  #apply(): void {
    const then = this.#history?.now;
    if (!then) return;
    setValues(WINDOW_FIELDS, this.#holder, then.window);
    for (const capture of this.#holder.library.captures) {
      const values = then.captures[capture.id];
      if (values) setValues(CAPTURE_FIELDS, capture, values);
    }
  }
}

/** The first difference between two steps; `captures` where one was opened or closed; null without any. */
function changeBetween(before: Step, now: Step): Change | 'captures' | null {
  const change = (name: string, fields: Readonly<Record<string, Change['field']>>, a: Values, b: Values): Change => ({
    ...{ name, field: fields[name] ?? {}, from: a[name], to: b[name] },
  });
  const inWindow = firstChange(WINDOW_FIELDS, before.window, now.window);
  if (inWindow) return change(inWindow, WINDOW_FIELDS, before.window, now.window);
  for (const [id, values] of Object.entries(now.captures)) {
    const then = before.captures[Number(id)];
    if (!then) return 'captures';
    const inCapture = firstChange(CAPTURE_FIELDS, then, values);
    if (inCapture) return change(inCapture, CAPTURE_FIELDS, then, values);
  }
  return Object.keys(before.captures).length === Object.keys(now.captures).length ? null : 'captures';
}
