// The report of a study as a file.
import type { StudyReportForm } from '../../ipc/gen/types';
import { Failure } from '../../state/replies/kinds';
import type { Session } from '../../state/session.svelte';

/** Asks for a place and writes the report of the open study there; a message says how that ended. */
export async function saveReport(app: Session, form: StudyReportForm): Promise<void> {
  try {
    const path = await app.workspace.studies.saveReport(form);
    if (path !== null) app.announcer.toast(`Report saved as ${path.split(/[/\\]/).at(-1) ?? path}`, 'done');
  } catch (thrown) {
    const failure = Failure.from(thrown);
    if (!failure.cancelled) app.announcer.toast(`The report was not saved: ${failure.message}`, 'error');
  }
}
