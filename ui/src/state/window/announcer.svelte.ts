/** A short message that floats and goes away. */
export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'error';
}

/** Says things: to the live region for those who listen, as toasts for those who look. */
export class Announcer {
  #said = $state('');
  #toasts = $state.raw<readonly Toast[]>([]);
  #next = 1;

  /** Text of the live region. */
  get said(): string {
    return this.#said;
  }
  get toasts(): readonly Toast[] {
    return this.#toasts;
  }

  /** Only for the live region. A repeated text is spoken again. */
  say(text: string): void {
    this.#said = text === this.#said ? `${text}\u00a0` : text;
  }

  /** For both. Errors stay until dismissed. */
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
