import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** Commands that undo and redo changes of the document and of a capture's assumptions. */
export function editCommands(app: Session): Action[] {
  return [
    {
      id: 'undo-said',
      title: 'Take back what was said of this capture',
      group: 'Capture',
      disabled: !app.capture?.said.canUndo,
      run: () => {
        if (app.capture) void app.library.stepAssumptions(app.capture, 'undo');
      },
    },
    {
      id: 'undo',
      title: `Undo ${app.undo.what}`,
      group: 'Edit',
      keys: ['Mod+Z'],
      disabled: !app.undo.canUndo,
      run: () => app.undo.undo(),
    },
    {
      id: 'redo',
      title: 'Redo',
      group: 'Edit',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      disabled: !app.undo.canRedo,
      run: () => app.undo.redo(),
    },
    {
      id: 'reset',
      title: 'Reset all parameters',
      group: 'What-if',
      disabled: !app.whatIf.changed,
      run: () => app.whatIf.reset(),
    },
  ];
}
