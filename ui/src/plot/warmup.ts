import { palette } from './palette.svelte';
import type { Ink, Surface } from './surface';

type Draw = (ctx: Surface, ink: Ink) => void;

/** Drawings after which a JavaScript engine has compiled the code that draws ten thousand marks. */
const TIMES = 10;
/** Pause between two drawings, ms, so that other work comes first. */
const APART_MS = 16;
/** Pause after the drawing has changed, ms: it is being panned. */
const MOVING_MS = 250;

let left = TIMES;

/**
 * Calls the drawing that `draw` returns on a hidden canvas, ten times in the life of a page: engines compile code that
 * runs often while it runs, and until then the first frames of a gesture take twice as long as later ones. Pauses while
 * the drawing changes, which means that somebody moves it. Returns a function that stops.
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
