import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';
import { algorithmCommands } from './algorithms';
import { captureCommands } from './captures';
import { editCommands } from './edit';
import { fileCommands } from './files';
import { flagCommands } from './flags';
import { helpCommands } from './help';
import { playbackCommands, speedCommands } from './playback';
import type { Shell } from './shell';
import { viewCommands } from './views';
import { windowCommands } from './window';

/** All commands, in the order of the palette and the key map. Keys run the commands of this list, too. */
export function commands(app: Session, shell: Shell): Action[] {
  return [
    ...viewCommands(app),
    ...playbackCommands(app),
    ...flagCommands(app),
    ...speedCommands(app),
    ...windowCommands(app),
    ...fileCommands(app),
    ...captureCommands(app),
    ...algorithmCommands(app),
    ...editCommands(app),
    ...helpCommands(app, shell),
  ];
}
