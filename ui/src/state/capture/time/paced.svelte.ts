import type { Viewport } from './viewport.svelte';

/**
 * Shortest interval between updates of texts that follow a moving window, ms. Chosen here: each update is text to lay
 * out, and no reader is quicker.
 */
const PACE_MS = 100;

/** The value of `of`, updated at most every `ms` ms and always in the end. For components. */
export function atPace<T>(of: () => T, ms: number): { readonly now: T } {
  let shown = $state.raw(of());
  let at = -Infinity;
  $effect.pre(() => {
    const next = of();
    const show = () => {
      at = performance.now();
      shown = next;
    };
    const wait = at + ms - performance.now();
    if (wait <= 0) {
      show();
      return;
    }
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  });
  return {
    get now() {
      return shown;
    },
  };
}

/** The window that `of` returns, updated at the pace of text. For components. */
export function paced(of: () => Viewport): { readonly window: { readonly t0: number; readonly t1: number } } {
  const shown = atPace(() => windowOf(of()), PACE_MS);
  return {
    get window() {
      return shown.now;
    },
  };
}

const windowOf = ({ t0, t1 }: Viewport) => ({ t0, t1 });
