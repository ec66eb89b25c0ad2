import type { Attachment } from 'svelte/attachments';

/** A place in a plot, px from its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** A press of the pointer that has not been released. */
export interface Drag {
  /** Place of the press. */
  from: Point;
  /** Whether Shift was held when the press began. */
  shift: boolean;
  /** Whether the pointer has left the place of the press; a press that has not is a click. */
  moved: boolean;
}

/** Reactions of a plot to its pointer. */
export interface PointerActions {
  /** Whether a press at `at` begins a drag; without it every press does. */
  grabs?: (at: Point) => boolean;
  /** A press began a drag. */
  onpress?: (at: Point, drag: Drag) => void;
  /** The pointer moves during a drag, more than {@link STILL_PX} from its beginning. */
  ondrag?: (at: Point, drag: Drag) => void;
  /** A press was released where it began. */
  onclick?: (at: Point) => void;
  /** A drag that moved has ended. */
  ondrop?: (at: Point, drag: Drag) => void;
  /** The system took the pointer away. */
  oncancel?: () => void;
}

/** A press that moves no farther than this is a click, px. */
const STILL_PX = 3;

/**
 * The pointer over one plot: where it hovers, and what it drags. The only place of the page that captures a pointer.
 * State is raw, for both are replaced whole.
 */
export class PlotPointer {
  /** Place of the pointer; null while it is outside. */
  at = $state.raw<Point | null>(null);
  /** The press under way; null without one. */
  drag = $state.raw<Drag | null>(null);
  #actions: PointerActions;

  constructor(actions: PointerActions = {}) {
    this.#actions = actions;
  }

  /** The place of an event in the plot, its scrolling to the side included. */
  static place(event: MouseEvent, plot: Element): Point {
    const box = plot.getBoundingClientRect();
    return { x: event.clientX - box.left + plot.scrollLeft, y: event.clientY - box.top };
  }

  /** Listens on a plot, for `{@attach pointer.attach}`. */
  readonly attach: Attachment<HTMLElement> = (plot) => {
    const listener = new AbortController();
    const on = <K extends 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerleave'>(
      type: K,
      then: (event: PointerEvent) => void,
    ) => plot.addEventListener(type, then, { signal: listener.signal });
    on('pointerdown', (event) => this.#press(event, plot));
    on('pointermove', (event) => this.#move(PlotPointer.place(event, plot)));
    on('pointerup', (event) => this.#release(PlotPointer.place(event, plot)));
    on('pointercancel', () => {
      this.drag = null;
      this.#actions.oncancel?.();
    });
    on('pointerleave', () => (this.at = null));
    return () => listener.abort();
  };

  #press(event: PointerEvent, plot: HTMLElement): void {
    const at = PlotPointer.place(event, plot);
    if (event.button !== 0 || this.#actions.grabs?.(at) === false) return;
    plot.setPointerCapture(event.pointerId);
    this.drag = { from: at, shift: event.shiftKey, moved: false };
    this.#actions.onpress?.(at, this.drag);
  }

  #move(at: Point): void {
    this.at = at;
    const drag = this.drag;
    if (!drag) return;
    if (!drag.moved) {
      if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) <= STILL_PX) return;
      this.drag = { ...drag, moved: true };
    }
    this.#actions.ondrag?.(at, this.drag ?? drag);
  }

  #release(at: Point): void {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (drag.moved) this.#actions.ondrop?.(at, drag);
    else this.#actions.onclick?.(at);
  }
}
