// A walk through the shipped binary as one person takes it: steps, each with the seconds it takes and a picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWith, type App } from '../app/app';

const SHOTS = join(import.meta.dirname, '../shots');

/**
 * Words a minute that an adult reads of English non-fiction, in silence: Brysbaert 2019, "How many words do we read per
 * minute?", Journal of Memory and Language 109, table 3.
 */
const WORDS_A_MINUTE = 238;
/**
 * Seconds for an action with the mouse: to decide on it (M, 1.35 s), to point at its target (P, 1.1 s), to press and
 * release the button (2 B, 0.2 s). Card, Moran & Newell 1980, "The keystroke-level model", figure 1.
 */
const ACTION = 1.35 + 1.1 + 0.2;

/** A step of a walk. */
export interface Step {
  what: string;
  /** Time of the program until the step's result is there, s. */
  program: number;
  /** Time of the person: actions, and words that are read for the first time, s. */
  person: number;
  picture: string;
}

/** Actions of a person in a step, and the result that ends it. */
interface Doing {
  what: string;
  /** Elements that are clicked, as CSS selectors or, beginning with `//`, XPaths. */
  clicks?: readonly string[];
  /** Body of a function that is true, in the page, once the result of the step is there. */
  until: string;
  /** CSS selector of the elements whose text is read. */
  reads?: string;
}

/** A person's way through the window, from the start of the program on. */
export class Walk {
  readonly steps: Step[] = [];

  private constructor(
    private readonly who: string,
    readonly app: App,
  ) {}

  /**
   * Starts the program with an empty home, as `who` with `files`, takes the `first` step and then `others`; ends it in
   * any case, and prints the steps.
   */
  static async take(
    who: string,
    first: Doing,
    files: readonly string[],
    others: (walk: Walk) => Promise<void>,
  ): Promise<void> {
    const begun = performance.now();
    const walk = new Walk(who, await startWith({}, ...files));
    try {
      await walk.#take(first, begun);
      await others(walk);
    } finally {
      await walk.#end();
    }
  }

  /** Takes a step. Rejects where a click meets something in its way, or its result does not come. */
  step(doing: Doing): Promise<void> {
    return this.#take(doing, performance.now());
  }

  /** Sum of all steps so far, s. */
  get seconds(): number {
    return this.steps.reduce((sum, { program, person }) => sum + program + person, 0);
  }

  /** Text of all elements that match, joined by spaces. */
  text(selector: string): Promise<string> {
    return this.app.session.execute(
      `return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText).join(' ').replaceAll(/\\s+/g, ' ')`,
      selector,
    );
  }

  async #take({ what, clicks = [], until, reads }: Doing, begun: number): Promise<void> {
    const { session } = this.app;
    try {
      for (const target of clicks) await session.click(target);
      await session.until(what, until);
    } catch (error) {
      await this.shoot('stuck');
      throw error;
    }
    const program = (performance.now() - begun) / 1000;
    const words = reads === undefined ? 0 : (await this.text(reads)).split(' ').filter(Boolean).length;
    const person = clicks.length * ACTION + (words / WORDS_A_MINUTE) * 60;
    const picture = await this.shoot(String(this.steps.length + 1).padStart(2, '0'));
    this.steps.push({ what, program, person, picture });
  }

  /** Takes a picture of the window; returns its file name. */
  private async shoot(at: string): Promise<string> {
    const picture = `walk-${this.who}-${at}.png`;
    // Lanes and dialogs come in over a few frames.
    await new Promise((resolve) => setTimeout(resolve, 700));
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(join(SHOTS, picture), await this.app.session.screenshot());
    return picture;
  }

  /** Ends the program, and prints the steps as a table of Markdown. */
  async #end(): Promise<void> {
    const row = ({ what, program, person, picture }: Step) =>
      `| ${what} | ${program.toFixed(1)} | ${person.toFixed(1)} | ${picture} |`;
    const head = [`| ${this.who} | program, s | person, s | picture |`, '|---|---:|---:|---|'];
    console.log([...head, ...this.steps.map(row), `| together: ${this.seconds.toFixed(1)} s | | | |`].join('\n'));
    await this.app.close();
  }
}
