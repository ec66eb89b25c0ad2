/** A command that a key, the palette or a button runs. */
export interface Action {
  id: string;
  /** Title in the palette, such as `Open a capture`. */
  title: string;
  /** Heading under which the palette and the map of keys list it. */
  group: string;
  /** Key chords such as `Mod+K`, `Space`, `?` or `Mod+Shift+Z` (`Mod` is Ctrl, on a Mac ⌘). The first one is shown. */
  keys?: readonly string[];
  run: () => void;
  /** Whether it is grey in the palette and its key does nothing. */
  disabled?: boolean;
}

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const NAMES: Record<string, string> = { ' ': 'Space', ArrowLeft: 'Left', ArrowRight: 'Right', Escape: 'Esc' };

/** Whether a platform has the keys of a Mac. */
export function isMac(platform: string = navigator.platform): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** The chord of a key press, such as `Mod+Shift+Z`. Shift is left out where it only types the character (`?`). */
export function chord(event: KeyLike, mac: boolean = isMac()): string {
  const key = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const typed = event.key.length === 1 && !/[a-z]/i.test(event.key) && event.key !== ' ';
  const parts: string[] = [];
  if (mac ? event.metaKey : event.ctrlKey) parts.push('Mod');
  if (event.altKey) parts.push('Alt');
  if (event.shiftKey && !typed) parts.push('Shift');
  return [...parts, key].join('+');
}

const GLYPHS: Record<string, string> = { Up: '↑', Down: '↓', Left: '←', Right: '→' };

function glyphs(keys: string): string {
  return keys.replace(/Arrow(Up|Down|Left|Right)/g, (_, arrow: string) => GLYPHS[arrow] ?? arrow);
}

/** A chord as people read it: `Ctrl K`, or `⌘K` on a Mac. */
export function keyLabel(keys: string, mac: boolean = isMac()): string {
  return mac
    ? glyphs(keys.replace('Mod+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥'))
    : keys.length === 1
      ? keys
      : glyphs(keys.replace('Mod', 'Ctrl').replaceAll('+', ' ').replace(/ {2}$/, ' +'));
}

/** Whether a plain key belongs to the focused element and runs no action. */
export function keepsKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]'))
    return true;
  if (target.closest('dialog, [popover]')) return true;
  if (key === 'Space')
    return target.closest('button, a, summary, input, [role=button], [role=radio], [role=option]') !== null;
  return false;
}

/** All actions that are registered. */
export class Actions {
  #sources = $state.raw<readonly (() => readonly Action[])[]>([]);
  #all = $derived(this.#sources.flatMap((source) => source()));

  get all(): readonly Action[] {
    return this.#all;
  }

  /** Adds a source of actions; returns a function that removes it. */
  register(source: () => readonly Action[]): () => void {
    this.#sources = [...this.#sources, source];
    return () => {
      this.#sources = this.#sources.filter((other) => other !== source);
    };
  }

  /** Runs the action with this ID, unless it is disabled. */
  run(id: string): void {
    const action = this.#all.find((candidate) => candidate.id === id);
    if (action && !action.disabled) action.run();
  }

  /** Runs the action of a key press; returns whether there was one. */
  press(event: KeyboardEvent): boolean {
    const pressed = chord(event);
    if (!pressed.includes('Mod+') && !/(^|\+)F\d/.test(pressed) && keepsKeys(event.target, pressed)) return false;
    const action = this.#all.find((candidate) => candidate.keys?.includes(pressed));
    if (!action || action.disabled) return false;
    event.preventDefault();
    action.run();
    return true;
  }
}

/**
 * Score of `title` for `query`, larger is better; null where it does not match. Letters must come in order; starts of
 * words and runs of letters score more.
 */
export function match(title: string, query: string): number | null {
  const [text, letters] = [title.toLowerCase(), query.toLowerCase().replace(/\s+/g, '')];
  let score = 0;
  let from = 0;
  let previous = -2;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    score +=
      at === previous + 1 ? 3 : /^|\W/.test(text[at - 1] ?? ' ') && (at === 0 || /\W/.test(text[at - 1] ?? '')) ? 2 : 0;
    score -= (at - from) * 0.05;
    previous = at;
    from = at + 1;
  }
  return score;
}
