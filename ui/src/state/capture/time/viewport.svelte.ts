/** The narrowest window, ns: ten microseconds. */
const NARROWEST = 10_000;

/** Length of the window on a capture without length, ns: a second. */
const MOMENT = 1_000_000_000;

/**
 * Range of time to fetch for a window: wider than the window, on round limits, at one of few levels of detail, so that
 * near windows share it.
 */
export interface Tile {
  /** Range, ns of the trace. */
  t0: number;
  t1: number;
  /** Width of the range at the level of detail, px. */
  px: number;
}

/** The window of time that all views of one capture share, the brush. All times are ns of the trace. */
export class Viewport {
  readonly start: number;
  readonly end: number;
  #t0 = $state(0);
  #t1 = $state(0);

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end > start ? Math.max(end, start + NARROWEST) : start + MOMENT;
    this.#t0 = this.start;
    this.#t1 = this.end;
  }

  get t0(): number {
    return this.#t0;
  }
  get t1(): number {
    return this.#t1;
  }
  get length(): number {
    return this.#t1 - this.#t0;
  }
  /** Whether the window shows all of the capture. */
  get whole(): boolean {
    return this.#t0 <= this.start && this.#t1 >= this.end;
  }

  /** Shows `t0..t1`, moved and cut to fit the capture; ends may come in any order. */
  set(t0: number, t1: number): void {
    const [low, high] = t0 <= t1 ? [t0, t1] : [t1, t0];
    const length = Math.min(Math.max(high - low, NARROWEST), this.end - this.start);
    const first = Math.min(Math.max(low, this.start), this.end - length);
    this.#t0 = Math.round(first);
    this.#t1 = Math.round(first + length);
  }

  /** Moves the window by `ns`, keeping its length. */
  pan(ns: number): void {
    const first = Math.min(Math.max(this.#t0 + ns, this.start), this.end - this.length);
    this.set(first, first + this.length);
  }

  /** Makes the window `factor` times as long around `at`. */
  zoom(factor: number, at: number = (this.#t0 + this.#t1) / 2): void {
    const length = Math.min(Math.max(this.length * factor, NARROWEST), this.end - this.start);
    const share = (at - this.#t0) / this.length;
    const first = Math.min(Math.max(at - share * length, this.start), this.end - length);
    this.set(first, first + length);
  }

  /** Moves one edge of the window to `at`. */
  edge(which: 'start' | 'end', at: number): void {
    if (which === 'start') this.set(Math.min(at, this.#t1 - NARROWEST), this.#t1);
    else this.set(this.#t0, Math.max(at, this.#t0 + NARROWEST));
  }

  /** Shows all of the capture. */
  reset(): void {
    this.set(this.start, this.end);
  }

  /** Moves the window, without zooming, so that `at` is inside; a fifth of the window stays before it. */
  reveal(at: number): void {
    if (at >= this.#t0 && at <= this.#t1) return;
    const first = at - this.length / 5;
    this.set(first, first + this.length);
  }

  /**
   * Takes over the window of the same capture when it was shorter: a window on all of it shows all, one at its end
   * stays at the end, and any other stays where the reader put it.
   */
  follow(before: Viewport): void {
    if (before.whole) return;
    if (before.t1 >= before.end) this.set(this.end - before.length, this.end);
    else this.set(before.t0, before.t1);
  }

  /** Whether the range `t0..t1` contains the window. */
  contains(t0: number, t1: number): boolean {
    return t0 <= this.#t0 && t1 >= this.#t1;
  }

  /**
   * The tile for this window drawn `px` wide, equal for all windows near it. With `times` it serves windows that many
   * times as long around it, too, and is coarser.
   */
  tile(px: number, times = 1): Tile {
    const length = Math.min(this.length * times, this.end - this.start);
    const more = (length - this.length) / 2;
    const perPx = length / Math.max(1, px);
    const level = 2 ** (Math.round(Math.log2(Math.max(1, perPx)) * 2) / 2);
    // Less than twice the window: what an answer costs grows with it, and a zoom throws most of them away.
    const [step, beside] = [2 ** Math.ceil(Math.log2(length)) / 4, more + length / 4];
    const t0 = Math.max(this.start, Math.floor((this.#t0 - beside) / step) * step);
    const t1 = Math.min(this.end, Math.ceil((this.#t1 + beside) / step) * step);
    return { t0, t1, px: Math.max(1, Math.round((t1 - t0) / level)) };
  }
}
