import { Failure, type Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type { ReportView, SessionReport } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { Announcer } from '../window/announcer.svelte';
import type { Holder } from './fields';
import { fileOf, reportQuestion } from './sessionfile';

/** The report of the current capture: its latest preview, and its saving. */
export class Report {
  /** Reply with the latest preview. */
  readonly made = new Reply<ReportView>();
  #holder: Holder;
  #backend: Backend;
  #announcer: Announcer;

  constructor(holder: Holder, backend: Backend, announcer: Announcer) {
    this.#holder = holder;
    this.#backend = backend;
    this.#announcer = announcer;
  }

  /** Title, notes, sections and figures. */
  get spec(): SessionReport {
    return this.#holder.workspace.report;
  }
  /** Replaces title, notes, sections and figures. */
  adopt(spec: SessionReport): void {
    this.#holder.workspace.describeReport(spec);
  }
  /** Whether the figure of a recipe is in the report. */
  hasFigure(recipe: string): boolean {
    return this.spec.figures.some((figure) => figure.recipe === recipe);
  }
  /** Adds the figure of a recipe with its present switches, or removes it. */
  toggleFigure(recipe: string): void {
    const params = { ...this.#holder.workspace.figures.switches(recipe) };
    const rest = this.spec.figures.filter((figure) => figure.recipe !== recipe);
    this.adopt({ ...this.spec, figures: this.hasFigure(recipe) ? rest : [...rest, { recipe, params }] });
  }

  /** Asks for the preview where something that it shows has changed. For effects. */
  want(): void {
    const request = this.#request();
    // With its tags, which come a moment after a capture.
    if (!request || !this.#holder.library.tags.known(request.capture)) return;
    const question = canonical({ ...request, file: reportQuestion(this.#holder) });
    void this.made.ask(question, (asking) => this.#backend.call('report', request, asking));
  }

  /** Asks for a place and writes the report there; a message says how that ended. */
  async save(): Promise<void> {
    const { current } = this.#holder.library;
    const request = this.#request();
    const name = current?.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').toLowerCase() ?? 'report';
    const path = request && (await this.#backend.save(`${name}.html`));
    if (!request || !path) return;
    try {
      await this.#backend.call('report', { ...request, path });
      this.#announcer.toast(`Report saved as ${path.split(/[/\\]/).at(-1) ?? path}`, 'done');
    } catch (thrown) {
      this.#announcer.toast(`The report was not saved: ${Failure.from(thrown).message}`, 'error');
    }
  }

  #request() {
    const { current } = this.#holder.library;
    return current ? { capture: current.id, file: fileOf(this.#holder), path: null } : null;
  }
}
