import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** Commands that load presets, write a timer for a device, and show or hide each algorithm. */
export function algorithmCommands(app: Session): Action[] {
  return [
    {
      id: 'presets',
      title: 'Load presets of your own…',
      group: 'Algorithms',
      run: () => void app.loadPresets(),
    },
    ...app.algorithms.shown.map(({ key, name, choice }) => ({
      id: `use-${key}`,
      title: `Use ${name} on a device…`,
      group: 'Algorithms',
      run: () => app.workspace.use(choice),
    })),
    ...app.algorithms.specs.map((spec) => {
      const choice = { id: spec.id, params: {} };
      const on = app.algorithms.has(choice);
      return {
        id: `algorithm-${spec.id}`,
        title: `${on ? 'Hide' : 'Show'} ${spec.name}`,
        group: 'Algorithms',
        run: () => (on ? app.algorithms.remove(spec.id) : app.algorithms.add(choice)),
      };
    }),
  ];
}
