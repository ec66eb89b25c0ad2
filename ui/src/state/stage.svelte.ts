// A window that shows a report: its views are answered from the replies in the report.
import { Failure } from '../ipc/backend';
import type { ReportView } from '../ipc/gen/types';
import { recorded } from '../ipc/recorded';
import { readCapture, readWindow } from './document/sessionfile';
import { Session } from './session.svelte';
import { Prefs } from './window/prefs.svelte';

export { octets } from '../ipc/recorded';

/** Names of the commands that a report has no reply to, each once. */
export class Lacks {
  #names = $state.raw<readonly string[]>([]);

  get names(): readonly string[] {
    return this.#names;
  }
  add(name: string): void {
    if (!this.#names.includes(name)) this.#names = [...this.#names, name];
  }
}

/** A report, and the window that it is drawn with. */
export interface Staged {
  view: ReportView;
  app: Session;
  /** Commands whose replies the report lacks. */
  lacks: Lacks;
}

/** The window of a document that needs no replies. */
export const emptyStage = (): Session =>
  new Session(
    recorded([], () => undefined),
    new Prefs(),
  );

/**
 * Makes the window of a report: its document on its replies, with the runs that the report is about. Rejects where the
 * report holds no capture.
 */
export async function stage(view: ReportView): Promise<Staged> {
  const file = view.session;
  const lacks = new Lacks();
  const app = new Session(
    recorded(view.replies, (name) => lacks.add(name)),
    new Prefs(),
  );
  await app.start();
  const { capture, workspace } = app;
  const [saved] = file.captures;
  if (!capture || !saved) throw app.failure ?? new Failure('not_found', 'The report holds no capture.');
  readCapture(capture, saved);
  readWindow(app, file, [capture]);
  // Sections draw when all runs are there: the report holds the lanes of all of them, not those of a part.
  await capture.runs.want(file.algorithms, workspace.settingsFor(capture), workspace.baseline);
  return { view, app, lacks };
}
