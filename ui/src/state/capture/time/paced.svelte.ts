import type { Viewport } from './viewport.svelte';

/** Numbers follow a moving window at this pace: nobody reads them sooner, and each is text to lay out. */
const PACE_MS = 100;

/** What `of` gives, soon after it changed and never left behind, but anew at most every `ms`. For components. */
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

/** The window as numbers and words show it. For components. */
export function paced(of: () => Viewport): { readonly window: { readonly t0: number; readonly t1: number } } {
  const shown = atPace(() => windowOf(of()), PACE_MS);
  return {
    get window() {
      return shown.now;
    },
  };
}

const windowOf = ({ t0, t1 }: Viewport) => ({ t0, t1 });
