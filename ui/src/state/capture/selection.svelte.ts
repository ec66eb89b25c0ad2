/** The exchange under the pointer or the keyboard, and what to say about it. */
export interface Hover {
  /** Who publishes it: only the publisher clears it. */
  source: string;
  exchange: number | null;
}

/** Which exchange is selected and which is hovered, in every view of one capture. */
export class Selection {
  #exchange = $state<number | null>(null);
  #hover = $state.raw<Hover | null>(null);

  get exchange(): number | null {
    return this.#exchange;
  }
  get hovered(): number | null {
    return this.#hover?.exchange ?? null;
  }

  select(exchange: number | null): void {
    this.#exchange = exchange;
  }

  /** Publish; equal hovers change nothing. */
  hover(source: string, exchange: number | null): void {
    if (exchange === null) {
      if (this.#hover?.source === source) this.#hover = null;
    } else if (this.#hover?.exchange !== exchange || this.#hover.source !== source) {
      this.#hover = { source, exchange };
    }
  }
}
