/** An exchange under the pointer or the keyboard. */
export interface Hover {
  /** Name of its publisher, which alone clears it. */
  source: string;
  exchange: number | null;
}

/** The selected and the hovered exchange, shared by all views of one capture. IDs; null: none. */
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

  /** Publishes the exchange under the pointer of `source`; an equal one changes nothing, null clears its own. */
  hover(source: string, exchange: number | null): void {
    if (exchange === null) {
      if (this.#hover?.source === source) this.#hover = null;
    } else if (this.#hover?.exchange !== exchange || this.#hover.source !== source) {
      this.#hover = { source, exchange };
    }
  }
}
