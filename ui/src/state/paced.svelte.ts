import type { Viewport } from './viewport.svelte';

/** Numbers follow a moving window at this pace: nobody reads them sooner, and each is text to lay out. */
const PACE_MS = 100;

/** The window as numbers and words show it: soon after it moved, and never left behind. For components. */
export function paced(of: () => Viewport): { readonly window: { readonly t0: number; readonly t1: number } } {
  let shown = $state.raw(windowOf(of()));
  let at = -Infinity;
  $effect.pre(() => {
    const window = windowOf(of());
    const show = () => {
      at = performance.now();
      shown = window;
    };
    const wait = at + PACE_MS - performance.now();
    if (wait <= 0) {
      show();
      return;
    }
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  });
  return {
    get window() {
      return shown;
    },
  };
}

const windowOf = ({ t0, t1 }: Viewport) => ({ t0, t1 });
