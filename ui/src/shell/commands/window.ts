import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** Commands that move the edges of the window in time and zoom it, and those that show or clear the selection. */
export function windowCommands(app: Session): Action[] {
  const { capture } = app;
  const viewport = capture?.viewport;
  const playback = capture?.playback;
  const none = capture === undefined;
  return [
    {
      id: 'window-start',
      title: 'Start the window at the playhead',
      group: 'Window',
      keys: ['['],
      disabled: none,
      run: () => playback && viewport?.edge('start', playback.at),
    },
    {
      id: 'window-end',
      title: 'End the window at the playhead',
      group: 'Window',
      keys: [']'],
      disabled: none,
      run: () => playback && viewport?.edge('end', playback.at),
    },
    {
      id: 'window-all',
      title: 'Show the whole capture',
      group: 'Window',
      keys: ['0'],
      disabled: none,
      run: () => viewport?.reset(),
    },
    {
      id: 'zoom-in',
      title: 'Zoom in',
      group: 'Window',
      keys: ['+', '='],
      disabled: none,
      run: () => viewport?.zoom(1 / 1.5),
    },
    { id: 'zoom-out', title: 'Zoom out', group: 'Window', keys: ['-'], disabled: none, run: () => viewport?.zoom(1.5) },
    {
      id: 'deselect',
      title: 'Clear the selection',
      group: 'Window',
      keys: ['Esc'],
      disabled: capture?.selection.exchange == null,
      run: () => capture?.selection.select(null),
    },

    {
      id: 'hop-by-hop',
      title: 'Show the exchange in the Ladder',
      group: 'Window',
      keys: ['H'],
      disabled: none,
      run: () => app.navigation.show('ladder'),
    },
  ];
}
