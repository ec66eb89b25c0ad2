// From a cell of a study to the capture's own views.
import type { AlgorithmChoice } from '../../ipc/gen/types';
import type { Session } from '../../state/session.svelte';

/** Opens a capture of a study, or goes to it where it is open, and compares the timer there. */
export async function openCapture(app: Session, file: string, timer: AlgorithmChoice): Promise<void> {
  await app.open([{ path: file, sample: null }]);
  app.algorithms.add(timer);
  if (app.capture) app.navigation.show('compare');
}
