import { Failure } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type { ReportView, SessionReport } from '../../ipc/gen/types';
import { recorded } from '../../ipc/recorded';
import { choiceKey } from '../replay/algorithms.svelte';
import { Prefs } from '../window/prefs.svelte';
import { Reply } from '../replies/reply.svelte';
import { fileOf, place } from './sessionfile';
import { Session } from '../session.svelte';

export { octets } from '../../ipc/recorded';

/** A report, and the window it is drawn with: every view asks the report instead of the core. */
export interface Staged {
  view: ReportView;
  app: Session;
}

/** Sets the stage for `view`: the session it tells of, on the answers it holds. */
export async function stage(view: ReportView): Promise<Staged> {
  const file = view.session;
  const prefs = new Prefs();
  prefs.set('shown', [...file.algorithms]);
  prefs.set('metrics', file.metrics);
  prefs.set('channel', file.replay.channel);
  prefs.set('workload', file.replay.workload);
  prefs.set('seed', file.replay.seed);
  prefs.set('replicates', file.replay.replicates);
  const app = new Session(recorded(view.replies), prefs);
  app.rules.restore(file.replay.policy ?? {});
  await app.start();
  const [saved] = file.captures;
  if (!app.capture || !saved) throw app.failure ?? new Failure('not_found', 'The report holds no capture.');
  place(app.capture, saved);
  const baseline = file.baseline && choiceKey(file.baseline);
  app.compareWith(baseline);
  app.capture.runs.want(file.algorithms, app.settingsFor(app.capture), baseline);
  return { view, app };
}

/** What the reader puts into the report, and its latest picture. */
export class Report {
  readonly made = new Reply<Staged>();
  #app: Session;
  #spec = $state.raw<SessionReport>({ title: '', notes: '', sections: [], figures: [] });

  constructor(app: Session) {
    this.#app = app;
  }

  get spec(): SessionReport {
    return this.#spec;
  }

  adopt(spec: SessionReport): void {
    this.#spec = spec;
  }

  /** Make it, unless it is made; for effects. */
  want(): void {
    const request = this.#request();
    // With its tags, which come a moment after a capture.
    if (!request || !this.#app.tags.known(request.capture)) return;
    const question = canonical({
      ...request,
      file: { ...request.file, view: '', sweep: null, figures: null, report: sections(request.file.report) },
    });
    void this.made.ask(question, async (asking) => stage(await this.#app.backend.call('report', request, asking)));
  }

  /** Write it; asks where. */
  async save(): Promise<void> {
    const app = this.#app;
    const request = this.#request();
    const name = app.capture?.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').toLowerCase() ?? 'report';
    const path = request && (await app.backend.save(`${name}.html`));
    if (!request || !path) return;
    try {
      await app.backend.call('report', { ...request, path });
      app.announcer.toast(`Report saved as ${path.split(/[/\\]/).at(-1) ?? path}`, 'done');
    } catch (thrown) {
      app.announcer.toast(`The report was not saved: ${Failure.from(thrown).message}`, 'error');
    }
  }

  #request() {
    const { capture } = this.#app;
    return capture ? { capture: capture.id, file: fileOf(this.#app), path: null } : null;
  }
}

/** Title and notes are drawn from what is typed; only another choice of sections or figures asks again. */
const sections = ({ sections, figures }: SessionReport) => ({ title: '', notes: '', sections, figures });
