// Fade of the lanes at a change of their level of detail.
import type { Attachment } from 'svelte/attachments';

/** Duration of a fade, ms. Chosen here: noticed, and over before the next step of a zoom. */
const FADE_MS = 160;

/** Fades an element in whenever `level` has another value; null: nothing is drawn, and nothing fades. */
export function fadesIn(level: () => number | null): Attachment<HTMLElement> {
  return (element) => {
    // Every reply makes the property new, whatever its value; only another value may fade.
    const steady = $derived(level());
    $effect(() => {
      if (steady === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: FADE_MS, easing: 'ease-out' });
    });
  };
}
