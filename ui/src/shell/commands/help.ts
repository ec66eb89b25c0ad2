import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';
import type { Shell } from './shell';

/** Commands for themes, preferences, help, and moving the focus among the regions of the window. */
export function helpCommands({ dialogs, prefs, tour }: Session, shell: Shell): Action[] {
  return [
    { id: 'theme-light', title: 'Light theme', group: 'Window and help', run: () => prefs.set('theme', 'light') },
    { id: 'theme-dark', title: 'Dark theme', group: 'Window and help', run: () => prefs.set('theme', 'dark') },
    {
      id: 'theme-system',
      title: 'Theme of the system',
      group: 'Window and help',
      run: () => prefs.set('theme', 'system'),
    },
    {
      id: 'preferences',
      title: 'Preferences…',
      group: 'Window and help',
      keys: ['Mod+,'],
      run: () => (dialogs.preferences = true),
    },
    { id: 'tour', title: 'Take the tour', group: 'Window and help', run: () => tour.restart() },
    {
      id: 'palette',
      title: 'Commands',
      group: 'Window and help',
      keys: ['Mod+K'],
      run: () => (dialogs.palette = true),
    },
    { id: 'help', title: 'Keys', group: 'Window and help', keys: ['?'], run: () => (dialogs.keys = true) },
    { id: 'region', title: 'Next region', group: 'Window and help', keys: ['F6'], run: () => shell.region(false) },
    {
      id: 'region-back',
      title: 'Previous region',
      group: 'Window and help',
      keys: ['Shift+F6'],
      run: () => shell.region(true),
    },
  ];
}
