import type { Viewport } from '../state/capture/time/viewport.svelte';

/** What a key does to the window: pan, zoom, grow the brush (DESIGN §5). True when it did something. */
export function timeKeys(event: KeyboardEvent, viewport: Viewport, at: number): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const step = viewport.length * 0.12;
  const grow = viewport.length * 0.1;
  const anchor = at >= viewport.t0 && at <= viewport.t1 ? at : undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.shiftKey && key === 'ArrowLeft') viewport.set(viewport.t0 - grow, viewport.t1);
  else if (event.shiftKey && key === 'ArrowRight') viewport.set(viewport.t0, viewport.t1 + grow);
  else if (key === 'ArrowLeft' || key === 'a') viewport.pan(-step);
  else if (key === 'ArrowRight' || key === 'd') viewport.pan(step);
  else if (key === '+' || key === '=' || key === 'w' || key === 'ArrowUp') viewport.zoom(1 / 1.5, anchor);
  else if (key === '-' || key === '_' || key === 's' || key === 'ArrowDown') viewport.zoom(1.5, anchor);
  else if (key === 'Home') viewport.pan(-Infinity);
  else if (key === 'End') viewport.pan(Infinity);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** Wheel over a time axis: sideways pans, along zooms around the pointer. */
export function timeWheel(event: WheelEvent, viewport: Viewport, t: number): void {
  event.preventDefault();
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) viewport.pan((event.deltaX / 800) * viewport.length);
  else if (event.shiftKey) viewport.pan((event.deltaY / 800) * viewport.length);
  else viewport.zoom(Math.exp(event.deltaY * 0.0022), t);
}
