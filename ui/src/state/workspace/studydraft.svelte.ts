import { canonical } from '../../ipc/canonical';
import type { AlgorithmChoice, StudyFoundCapture, StudyFoundView, StudyWriteRequest } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Default number of replicates of a study, as of a replay. */
const REPLICATES = 200;

export type StudyTags = StudyFoundCapture['tags'];

/** A capture of a folder of runs, as the reader has it. */
export interface DraftCapture {
  path: string;
  tags: StudyTags;
  /** Timer that is known to have run. */
  ran: string | undefined;
  taken: boolean;
}

/** A study that is being made from a folder of runs. */
export class StudyDraft {
  readonly folder: string;
  readonly found = new Reply<StudyFoundView>();
  /** Patterns, one a line, as they are typed. */
  text = $state('');
  name = $state('');
  replicates = $state(REPLICATES);
  /** The study's file; null: not said yet. */
  path = $state<string | null>(null);
  #usual: readonly AlgorithmChoice[];
  #captures = $state.raw<readonly DraftCapture[]>([]);
  #timers = $state.raw<readonly AlgorithmChoice[]>([]);

  constructor(folder: string, usual: readonly AlgorithmChoice[]) {
    this.folder = folder;
    this.#usual = usual;
    this.name = folder.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  }

  get captures(): readonly DraftCapture[] {
    return this.#captures;
  }
  get taken(): readonly DraftCapture[] {
    return this.#captures.filter(({ taken }) => taken);
  }
  get timers(): readonly AlgorithmChoice[] {
    return this.#timers;
  }
  get patterns(): readonly string[] {
    return this.text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  /** Names of all tags, `scenario`, `timer` and `seed` first. */
  get keys(): readonly string[] {
    const first = ['scenario', 'timer', 'seed'];
    const all = this.#captures.flatMap(({ tags }) => Object.keys(tags));
    const others = all.filter((key, at) => !first.includes(key) && all.indexOf(key) === at).sort();
    return [...first.filter((key) => key === 'scenario' || all.includes(key)), ...others];
  }

  /** Takes what was found; timers are the usual ones and those that ran. */
  learn(found: StudyFoundView): void {
    this.text = found.patterns.join('\n');
    this.#captures = found.captures.map(({ path, tags, ran }) => ({ path, tags, ran: ran ?? undefined, taken: true }));
    if (this.#timers.length > 0) return;
    const all = [...this.#usual, ...found.ran];
    this.#timers = all.filter((timer, at) => all.findIndex((other) => canonical(other) === canonical(timer)) === at);
  }

  take(path: string, taken: boolean): void {
    this.#change(path, (capture) => ({ ...capture, taken }));
  }
  takeAll(taken: boolean): void {
    this.#captures = this.#captures.map((capture) => ({ ...capture, taken }));
  }

  /** Sets a tag of a capture; an empty value removes it. */
  tag(path: string, key: string, value: string): void {
    this.#change(path, (capture) => {
      const rest = Object.fromEntries(Object.entries(capture.tags).filter(([name]) => name !== key));
      const said = value.trim();
      return { ...capture, tags: said === '' ? rest : { ...rest, [key]: said } };
    });
  }

  #change(path: string, of: (capture: DraftCapture) => DraftCapture): void {
    this.#captures = this.#captures.map((capture) => (capture.path === path ? of(capture) : capture));
  }

  has(timer: AlgorithmChoice): boolean {
    return this.#timers.some((other) => canonical(other) === canonical(timer));
  }
  toggle(timer: AlgorithmChoice): void {
    this.#timers = this.has(timer)
      ? this.#timers.filter((other) => canonical(other) !== canonical(timer))
      : [...this.#timers, timer];
  }

  /** Number of tasks of the study. */
  get tasks(): number {
    return this.taken.length * this.#timers.length;
  }

  /** The request that writes it; null while it has no place. */
  get request(): StudyWriteRequest | null {
    if (this.path === null) return null;
    return {
      path: this.path,
      name: this.name,
      folder: this.folder,
      patterns: [...(this.found.value?.patterns ?? [])],
      captures: this.taken.map(({ path, tags }) => ({ path, tags })),
      left_out: this.#captures.filter(({ taken }) => !taken).map(({ path }) => path),
      timers: [...this.#timers],
      replicates: this.replicates,
    };
  }
}
