/**
 * Longest time between changes of the same kind that undo together, ms; and most steps that are kept. Chosen here by
 * judgement: shorter, a dragged slider leaves many steps, longer, two drags undo as one; steps are small, and nobody
 * undoes 200.
 */
const STROKE_MS = 600;
const DEPTH = 200;

/** Undo and redo of a value that is replaced as a whole. */
export class History<T> {
  #now = $state.raw() as T;
  #past = $state.raw<readonly T[]>([]);
  #future = $state.raw<readonly T[]>([]);
  #stroke: { kind: string; at: number } | undefined;

  constructor(initial: T) {
    this.#now = initial;
  }

  get now(): T {
    return this.#now;
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /**
   * Replaces the value; changes of one `kind` in quick succession, such as a dragged slider, undo together. `at` is the
   * time, ms.
   */
  set(next: T, kind: string, at: number = performance.now()): void {
    const same = this.#stroke?.kind === kind && at - this.#stroke.at < STROKE_MS;
    if (!same) this.#past = [...this.#past, this.#now].slice(-DEPTH);
    this.#stroke = { kind, at };
    this.#future = [];
    this.#now = next;
  }

  /** Replaces the value without a step of undo. */
  amend(next: T): void {
    this.#now = next;
    this.#stroke = undefined;
  }

  /** Makes the next change a new stroke, whatever its kind. */
  seal(): void {
    this.#stroke = undefined;
  }

  /** Goes back by one step, if there is one. */
  undo(): void {
    const last = this.#past.at(-1);
    if (last === undefined) return;
    this.#future = [this.#now, ...this.#future];
    this.#past = this.#past.slice(0, -1);
    this.#now = last;
    this.#stroke = undefined;
  }

  /** Goes forward by one step, if there is one. */
  redo(): void {
    const [next, ...rest] = this.#future;
    if (next === undefined) return;
    this.#past = [...this.#past, this.#now];
    this.#future = rest;
    this.#now = next;
    this.#stroke = undefined;
  }
}
