import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** Commands on the current capture, and those that show samples and other captures. */
export function captureCommands(app: Session): Action[] {
  const { capture, dialogs } = app;
  const none = capture === undefined;
  const { follow } = app.library;
  return [
    {
      id: 'decode-as',
      title: 'Decode as…',
      group: 'Library',
      disabled: none,
      run: () => (dialogs.decodeAs = capture?.id ?? null),
    },
    {
      id: 'nodes',
      title: 'Names and places of nodes from a file…',
      group: 'Library',
      disabled: none,
      run: () => void app.pickNodes(),
    },
    {
      id: 'tags',
      title: 'Tags of this capture…',
      group: 'Library',
      disabled: none,
      run: () => (dialogs.tags = capture?.id ?? null),
    },
    {
      id: 'follow',
      title: follow.running ? `Stop following ${follow.name}` : 'Follow this file as it grows',
      group: 'Library',
      disabled: !follow.running && (capture?.view.path ?? null) === null,
      run: () => void (follow.running ? follow.stop() : capture && app.library.followFile(capture)),
    },
    {
      id: 'alerts',
      title: 'Alerts of what is recorded or followed…',
      group: 'Library',
      run: () => (dialogs.alerts = true),
    },
    {
      id: 'merge',
      title: 'Merge with…',
      group: 'Library',
      disabled: !capture?.view.read_as.files.some(({ path }) => path !== null),
      run: () => void (capture && app.library.mergeWith(capture)),
    },
    {
      id: 'close',
      title: 'Close this capture',
      group: 'Library',
      keys: ['Mod+W'],
      disabled: none,
      run: () => void (capture && app.library.close(capture.id)),
    },
    ...(app.startup?.samples ?? []).map((sample) => ({
      id: `sample-${sample.id}`,
      title: `Open sample “${sample.name}”`,
      group: 'Library',
      run: () => void app.open([{ path: null, sample: sample.id }]),
    })),
    ...app.library.captures
      .filter((other) => other !== capture)
      .map((other) => ({
        id: `go-${other.id}`,
        title: `Go to ${other.title}`,
        group: 'Library',
        run: () => app.library.select(other.id),
      })),
  ];
}
