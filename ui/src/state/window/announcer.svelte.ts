/** A short message that floats over the page. */
export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'error';
}

/** Messages to the reader: in the live region for assistive tools, as toasts on the screen. */
export class Announcer {
  #said = $state('');
  #toasts = $state.raw<readonly Toast[]>([]);
  #next = 1;

  /** Text of the live region. */
  get said(): string {
    return this.#said;
  }
  /** Toasts on the screen, at most three, oldest first. */
  get toasts(): readonly Toast[] {
    return this.#toasts;
  }

  /** Puts a text into the live region only; a repeated one is spoken again. */
  say(text: string): void {
    this.#said = text === this.#said ? `${text}\u00a0` : text;
  }

  /** Shows a toast and puts its text into the live region. Errors stay until dismissed, others for 4 s. */
  toast(text: string, kind: Toast['kind'] = 'done'): void {
    const toast = { id: this.#next++, text, kind };
    this.#toasts = [...this.#toasts, toast].slice(-3);
    this.say(text);
    if (kind === 'done') setTimeout(() => this.dismiss(toast.id), 4000);
  }

  dismiss(id: number): void {
    this.#toasts = this.#toasts.filter((toast) => toast.id !== id);
  }
}
