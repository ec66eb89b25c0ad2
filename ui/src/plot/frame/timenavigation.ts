// Panning and zooming of a time axis by wheel, keys and drag.
import type { Attachment } from 'svelte/attachments';
import type { Viewport } from '../../state/capture/time/viewport.svelte';
import type { TimeScale } from '../scale';
import { PlotPointer, type Drag, type PointerActions } from './pointer.svelte';

/** Zoom factor of one key press; share of the window by which one key press pans, and by which it grows. */
const ZOOM = 1.5;
const PAN = 0.12;
const GROW = 0.1;

/**
 * Moves the window as a key says: pans, zooms around `at` (ns; around the middle where `at` is outside), or grows.
 * Returns whether it did; then the event goes no further.
 */
export function timeKeys(event: KeyboardEvent, viewport: Viewport, at: number): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const [step, grow] = [viewport.length * PAN, viewport.length * GROW];
  const anchor = at >= viewport.t0 && at <= viewport.t1 ? at : undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.shiftKey && key === 'ArrowLeft') viewport.set(viewport.t0 - grow, viewport.t1);
  else if (event.shiftKey && key === 'ArrowRight') viewport.set(viewport.t0, viewport.t1 + grow);
  else if (key === 'ArrowLeft' || key === 'a') viewport.pan(-step);
  else if (key === 'ArrowRight' || key === 'd') viewport.pan(step);
  else if (key === '+' || key === '=' || key === 'w' || key === 'ArrowUp') viewport.zoom(1 / ZOOM, anchor);
  else if (key === '-' || key === '_' || key === 's' || key === 'ArrowDown') viewport.zoom(ZOOM, anchor);
  else if (key === 'Home') viewport.pan(-Infinity);
  else if (key === 'End') viewport.pan(Infinity);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** Factor by which a turn of the wheel changes the length of the window. */
export const wheelZoom = (event: WheelEvent): number => Math.exp(event.deltaY * 0.0022);

/** Share of the window by which a turn of the wheel of `delta` px pans. */
export const wheelPan = (delta: number): number => delta / 800;

/** Moves the window as a wheel says: pans for turns sideways or with Shift, else zooms around `t` (ns). */
export function timeWheel(event: WheelEvent, viewport: Viewport, t: number): void {
  event.preventDefault();
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) viewport.pan(wheelPan(event.deltaX) * viewport.length);
  else if (event.shiftKey) viewport.pan(wheelPan(event.deltaY) * viewport.length);
  else viewport.zoom(wheelZoom(event), t);
}

/** State that {@link navigateTime} reads at each event. */
export interface TimeNavigation {
  /** The window of time. */
  viewport: Viewport;
  /** Scale of the plot, from ns to px. */
  x: TimeScale;
  /** Time that keys zoom around, ns: the playhead. */
  anchor: number;
  /** Whether the plot scrolls: then the wheel alone belongs to the scroller, and with Ctrl it zooms. */
  scrolls?: boolean;
  /** Handles the view's own keys; true where the key was one of them. */
  onkey?: (event: KeyboardEvent) => boolean;
}

/**
 * Wheel and keys of a plot over time, for `{@attach navigateTime(() => …)}`. Keys count while the plot itself has the
 * focus.
 */
export function navigateTime(read: () => TimeNavigation): Attachment<HTMLElement> {
  return (plot) => {
    const wheel = (event: WheelEvent) => {
      const { viewport, x, scrolls = false } = read();
      const along = Math.abs(event.deltaY) >= Math.abs(event.deltaX);
      if (scrolls && along && !event.ctrlKey && !event.metaKey) return;
      timeWheel(event, viewport, x.invert(Math.max(x(x.t0), PlotPointer.place(event, plot).x)));
    };
    const keys = (event: KeyboardEvent) => {
      if (event.target !== plot) return;
      const { viewport, anchor, onkey } = read();
      if (!onkey?.(event)) timeKeys(event, viewport, anchor);
    };
    plot.addEventListener('wheel', wheel, { passive: false });
    plot.addEventListener('keydown', keys);
    return () => {
      plot.removeEventListener('wheel', wheel);
      plot.removeEventListener('keydown', keys);
    };
  };
}

/** Actions of a {@link PlotPointer} whose drag pans the window; a press must begin on the axis of `read().x`. */
export function panTime(read: () => Pick<TimeNavigation, 'viewport' | 'x'>, more: PointerActions = {}): PointerActions {
  let [t0, t1] = [0, 0];
  return {
    grabs: ({ x: px }) => {
      const { x } = read();
      return px >= x(x.t0) && px <= x(x.t1);
    },
    ...more,
    onpress(at, drag) {
      ({ t0, t1 } = read().viewport);
      more.onpress?.(at, drag);
    },
    ondrag(at, drag: Drag) {
      if (more.ondrag && drag.shift) return more.ondrag(at, drag);
      const { viewport, x } = read();
      viewport.set(t0, t1);
      viewport.pan((drag.from.x - at.x) / x.k);
    },
  };
}
