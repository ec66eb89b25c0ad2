// A window that shows a report: every view in it asks the replies that travel with the report.
import { Failure } from '../ipc/backend';
import type { ReportView } from '../ipc/gen/types';
import { recorded } from '../ipc/recorded';
import { readCapture, readWindow } from './document/sessionfile';
import { Session } from './session.svelte';
import { Prefs } from './window/prefs.svelte';

export { octets } from '../ipc/recorded';

/** A report, and the window it is drawn with. */
export interface Staged {
  view: ReportView;
  app: Session;
}

/** Makes the window of a report: its document on its replies, with the replay that the report is about. */
export async function stage(view: ReportView): Promise<Staged> {
  const file = view.session;
  const app = new Session(recorded(view.replies), new Prefs());
  await app.start();
  const { capture, workspace } = app;
  const [saved] = file.captures;
  if (!capture || !saved) throw app.failure ?? new Failure('not_found', 'The report holds no capture.');
  readCapture(capture, saved);
  readWindow(app, file, [capture]);
  capture.runs.want(file.algorithms, workspace.settingsFor(capture), workspace.baseline);
  return { view, app };
}
