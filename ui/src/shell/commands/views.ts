import type { Action } from '../../state/window/actions.svelte';
import type { Session } from '../../state/session.svelte';
import { VIEWS } from '../../state/window/views';

/** Commands that show each view, and the import summary. */
export function viewCommands(app: Session): Action[] {
  const none = app.capture === undefined;
  return [
    ...VIEWS.map(({ id, title }, index) => ({
      id: `view-${id}`,
      title: `Show ${title}`,
      group: 'Views',
      ...(index < 9 && { keys: [String(index + 1)] }),
      run: () => app.navigation.show(id),
    })),
    {
      id: 'summary',
      title: 'Show import summary',
      group: 'Views',
      disabled: none,
      run: () => app.navigation.showSummary(true),
    },
  ];
}
