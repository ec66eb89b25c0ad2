// Gestures on the Timeline as a hand on a touchpad makes them, and the cost of each move. {@link move} runs in the
// page.

/** Costs of the moves of one kind, in ms. */
export interface Cost {
  /** Wall-clock time from the move until the frame is painted: longer where threads wait for a processor. */
  work: number[];
  /**
   * Time from one frame to the next, with everything else, such as replies that arrive and the drawing of a software
   * GL.
   */
  interval: number[];
  /** Start of each frame, ms since the Unix epoch. */
  begun: number[];
}

/** A turn of the wheel, px; one is made in each frame. */
export interface Move {
  deltaX: number;
  deltaY: number;
}

declare global {
  interface Window {
    moved?: Cost;
  }
}

/**
 * Makes `moves` at the playhead in the field, and leaves the cost in `window.moved`. Refers to nothing outside, because
 * it is sent to the page as text.
 */
export function move(moves: Move[]): void {
  const field = document.querySelector('.field');
  if (!field) throw new Error('There is no Timeline.');
  const box = field.getBoundingClientRect();
  const playhead = field.querySelector('line.playhead')?.getBoundingClientRect() ?? box;
  const [clientX, clientY] = [playhead.left + playhead.width / 2, box.top + box.height / 2];
  const channel = new MessageChannel();
  const cost: Cost = { work: [], interval: [], begun: [] };
  window.moved = undefined;
  let last = performance.now();
  const step = async (at: number): Promise<void> => {
    const wheel = moves[at];
    if (!wheel) {
      window.moved = cost;
      return;
    }
    // First of the frame's callbacks; its message comes when the frame has been laid out and painted.
    const painted = new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const begun = performance.now();
        cost.interval.push(begun - last);
        cost.begun.push(performance.timeOrigin + begun);
        last = begun;
        channel.port1.onmessage = () => {
          resolve(performance.now() - begun);
        };
        channel.port2.postMessage(null);
      });
    });
    const before = performance.now();
    // With Ctrl the wheel zooms also where there are more lanes than fit, which it else scrolls.
    const init = { ...wheel, clientX, clientY, ctrlKey: wheel.deltaY !== 0, bubbles: true, cancelable: true };
    field.dispatchEvent(new WheelEvent('wheel', init));
    // Svelte works its effects off in a microtask.
    await Promise.resolve();
    await Promise.resolve();
    const handled = performance.now() - before;
    cost.work.push(handled + (await painted));
    await step(at + 1);
  };
  void step(0);
}

const pan = (deltaX: number, times: number): Move[] => Array.from({ length: times }, () => ({ deltaX, deltaY: 0 }));
const zoom = (deltaY: number, times: number): Move[] => Array.from({ length: times }, () => ({ deltaX: 0, deltaY }));

/**
 * Gestures: in, along, and out again. Each zoom of -100 shows a fifth less of the time; after 55 of them the window
 * shows about a 180,000th of the capture.
 */
export const MOVES: readonly (readonly [name: string, moves: Move[]])[] = [
  ['zoom in, dense', zoom(-100, 25)],
  ['pan, dense', [...pan(24, 120), ...pan(-24, 120)]],
  ['zoom in, to single copies', zoom(-100, 30)],
  ['pan, single copies', [...pan(24, 120), ...pan(-24, 120)]],
  ['zoom out, to all', zoom(100, 60)],
];

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;

/** Median and 95th percentile of values in ms, as text. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [at(sorted, 0.5), at(sorted, 0.95)].map((value) => value.toFixed(1).padStart(6)).join(' ');
}

const FRAME_MS = 1000 / 60;

/** Columns of {@link say}; all but the first two are median and 95th percentile in ms. */
export const HEAD = `  ${'move'.padEnd(34)} ${'main thread'.padStart(13)}  ${'over 16.7'.padStart(11)}  ${'on the wall'.padStart(13)}  ${'frame to frame'.padStart(14)}`;

/**
 * A line of the table: processor time of the page's main thread in a frame (script, style, layout and paint, which must
 * fit into 16.7 ms), the number of frames that took more, the same work on the wall clock, and the time from frame to
 * frame.
 */
export function say(name: string, { work, interval }: Cost, main: readonly number[]): string {
  const over = `${String(main.filter((value) => value > FRAME_MS).length)} of ${String(main.length)}`;
  return `  ${name.padEnd(34)} ${spread(main)}  ${over.padStart(11)}  ${spread(work)}  ${spread(interval.slice(1)).padStart(14)}`;
}
