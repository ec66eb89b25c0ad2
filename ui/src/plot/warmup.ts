import { palette } from './palette.svelte';
import type { Ink, Surface } from './surface';

type Draw = (ctx: Surface, ink: Ink) => void;

/** So often a picture of ten thousand marks is drawn before the engine runs it as fast as it ever will. */
const TIMES = 10;
/** Between two of them, in ms: whatever else waits comes first. */
const APART_MS = 16;
/** Where the picture has changed, somebody moves it: that is looked at again after so long. */
const MOVING_MS = 250;

let left = TIMES;

/**
 * Draws what `draw` gives where nobody sees it, some times in the life of a page: engines translate what runs often while it
 * runs, and until then the first frames of a gesture take twice as long as those that follow.
 * It waits while the picture changes, that is while somebody moves it. Returns how to stop.
 */
export function warmUp(draw: () => Draw, width: number, height: number): () => void {
  if (left === 0) return () => undefined;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = draw();
  const step = () => {
    if (!context || left === 0) return;
    const now = draw();
    const moves = now !== last;
    last = now;
    if (!moves) {
      left -= 1;
      context.clearRect(0, 0, width, height);
      now(context, palette);
    }
    timer = setTimeout(step, moves ? MOVING_MS : APART_MS);
  };
  timer = setTimeout(step, APART_MS);
  return () => {
    clearTimeout(timer);
  };
}
