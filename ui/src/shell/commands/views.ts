import type { Action } from '../../state/window/actions.svelte';
import type { Session } from '../../state/session.svelte';
import { VIEWS, viewKey } from '../../state/window/views';

/** Commands that show each view, and the import summary. */
export function viewCommands(app: Session): Action[] {
  const none = app.capture === undefined;
  return [
    ...VIEWS.map((view, index) => {
      const key = viewKey(view, index);
      return {
        id: `view-${view.id}`,
        title: `Show ${view.title}`,
        group: 'Views',
        ...(key && { keys: [key] }),
        run: () => app.navigation.show(view.id),
      };
    }),
    {
      id: 'summary',
      title: 'Show import summary',
      group: 'Views',
      disabled: none,
      run: () => app.navigation.showSummary(true),
    },
  ];
}
