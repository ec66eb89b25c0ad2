import type { Entry } from '../../state/library/groups.svelte';

/** A press that moves no farther than this is a click, px: as in plots. */
const STILL_PX = 3;
/**
 * Distance from an edge of the list within which it scrolls, px, and the step of a move there. Chosen here by
 * judgement.
 */
const EDGE_PX = 24;
const SCROLL_PX = 8;

/** Text of an entry that rows of the list carry in `data-entry`. */
export const keyOf = (entry: Entry): string => ('folder' in entry ? `folder ${entry.folder}` : `run ${entry.capture}`);

/** An entry of the library that is dragged, and the place between its neighbours that it would have. */
interface Dragged {
  entry: Entry;
  /** Key of the entry at whose edge the line stands; null where dropping would change nothing. */
  at: string | null;
  edge: 'before' | 'behind';
  /** Place from 0 that it would have. */
  to: number;
}

/**
 * An entry of a list under the pointer. Rows that can change places are children of one element and have `data-entry`.
 * Pointer events, not those of drag and drop: the window takes the latter for files.
 */
export class ListDrag {
  /** The entry under the pointer; null while nothing is dragged. */
  now = $state.raw<Dragged | null>(null);
  #drop: (entry: Entry, to: number) => void;

  constructor(drop: (entry: Entry, to: number) => void) {
    this.#drop = drop;
  }

  /** Begins with a press on a row; what moves the pointer less than three pixels stays a click. */
  press(event: PointerEvent, entry: Entry): void {
    const row = (event.currentTarget as HTMLElement).closest<HTMLElement>('[data-entry]');
    // A finger scrolls the list.
    if (event.button !== 0 || event.pointerType === 'touch' || !row?.parentElement) return;
    const siblings = Array.from(row.parentElement.children).flatMap((child) =>
      child instanceof HTMLElement && child.dataset.entry !== undefined ? child : [],
    );
    if (siblings.length < 2) return;
    const from = event.clientY;
    const listening = new AbortController();
    const { signal } = listening;
    const end = () => {
      listening.abort();
      this.now = null;
    };
    const move = (moved: PointerEvent) => {
      if (this.now === null && Math.abs(moved.clientY - from) <= STILL_PX) return;
      moved.preventDefault();
      scrollAt(row, moved.clientY);
      this.now = { entry, ...placeAt(siblings, siblings.indexOf(row), moved.clientY) };
    };
    const up = () => {
      const dragged = this.now;
      end();
      if (!dragged) return;
      // The click that follows at once means no row.
      const swallow = (click: MouseEvent) => click.stopPropagation();
      addEventListener('click', swallow, { capture: true });
      setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0);
      if (dragged.at !== null) this.#drop(dragged.entry, dragged.to);
    };
    const keys = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || this.now === null) return;
      key.preventDefault();
      key.stopPropagation();
      end();
    };
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', up, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', keys, { signal, capture: true });
  }
}

/** The edge nearest to the height `y`, in the window, and the place that the row from `from` would have there. */
function placeAt(siblings: readonly HTMLElement[], from: number, y: number): Omit<Dragged, 'entry'> {
  const middles = siblings.map((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2;
  });
  const before = middles.findIndex((middle) => y < middle);
  const gap = before < 0 ? siblings.length : before;
  const to = gap > from ? gap - 1 : gap;
  const [row, edge] = gap < siblings.length ? [siblings[gap], 'before' as const] : [siblings.at(-1), 'behind' as const];
  return { at: to === from ? null : (row?.dataset.entry ?? null), edge, to };
}

/** Scrolls the list around a row where the pointer is near its edge. */
function scrollAt(row: HTMLElement, y: number): void {
  const list = row.closest<HTMLElement>('.scroll');
  if (!list) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE_PX) list.scrollBy(0, -SCROLL_PX);
  else if (y > bottom - EDGE_PX) list.scrollBy(0, SCROLL_PX);
}
