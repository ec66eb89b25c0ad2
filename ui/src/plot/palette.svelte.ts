import type { Token } from './series';
import type { Ink } from './surface';

/** Distance of hatch lines, which run at 45°, and their width, px. */
const HATCH = 4;
const HATCH_WIDTH = 1.1;

/** Computed colours and hatches of tokens, for canvases; read again when the theme or a preference changes. */
export class Palette implements Ink {
  #version = $state(0);
  #probe: HTMLElement | undefined;
  // Caches, not state: `version` is what views depend on.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #colours = new Map<Token, string>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #hatches = new Map<Token, CanvasPattern>();

  /** Counter that changes with the theme; an effect that paints must read it. */
  get version(): number {
    return this.#version;
  }

  /** Follows the theme of the document; returns a function that stops. */
  watch(): () => void {
    const forget = () => {
      this.#colours.clear();
      this.#hatches.clear();
      this.#version += 1;
    };
    const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map(
      (query) => matchMedia(query),
    );
    for (const query of queries) query.addEventListener('change', forget);
    const observer = new MutationObserver(forget);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      for (const query of queries) query.removeEventListener('change', forget);
      observer.disconnect();
    };
  }

  /** The computed colour of a token. */
  paint(token: Token): string {
    let colour = this.#colours.get(token);
    if (!colour) {
      if (!this.#probe?.isConnected) {
        this.#probe = document.createElement('i');
        this.#probe.hidden = true;
        document.body.append(this.#probe);
      }
      this.#probe.style.color = `var(--${token})`;
      colour = getComputedStyle(this.#probe).color;
      this.#colours.set(token, colour);
    }
    return colour;
  }

  /** A pattern of hatch lines in the colour of a token; the colour itself where the browser makes no pattern. */
  hatch(token: Token): string | CanvasPattern {
    let pattern = this.#hatches.get(token);
    if (!pattern) {
      const ratio = devicePixelRatio || 1;
      const tile = document.createElement('canvas');
      const side = HATCH * Math.SQRT2;
      tile.width = tile.height = Math.round(side * ratio);
      const context = tile.getContext('2d');
      if (!context) return this.paint(token);
      context.scale(tile.width / side, tile.height / side);
      context.strokeStyle = this.paint(token);
      context.lineWidth = HATCH_WIDTH;
      for (const shift of [-side, 0, side]) {
        context.moveTo(shift, side);
        context.lineTo(shift + side, 0);
      }
      context.stroke();
      const made = context.createPattern(tile, 'repeat');
      if (!made) return this.paint(token);
      made.setTransform(new DOMMatrix().scale(side / tile.width, side / tile.height));
      this.#hatches.set(token, (pattern = made));
    }
    return pattern;
  }
}

/** The one palette of the document, which has one theme. */
export const palette = new Palette();
