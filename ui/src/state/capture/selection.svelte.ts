/** The exchange under the pointer or the keyboard. */
export interface Hover {
  /** Its publisher: only the publisher clears it. */
  source: string;
  exchange: number | null;
}

/** The selected and the hovered exchange, in every view of one capture. */
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

  /** Publishes a hover; an equal one changes nothing. */
  hover(source: string, exchange: number | null): void {
    if (exchange === null) {
      if (this.#hover?.source === source) this.#hover = null;
    } else if (this.#hover?.exchange !== exchange || this.#hover.source !== source) {
      this.#hover = { source, exchange };
    }
  }
}
