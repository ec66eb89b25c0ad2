import { placeWords, type Entry } from '../../state/library/groups.svelte';
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
    ...orderCommands(app),
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

/** Commands that move the current capture, and its group, in the library: dragging without a pointer that drags. */
function orderCommands(app: Session): Action[] {
  const { capture } = app;
  const { groups } = app.library;
  const folder = groups.all.find(({ runs }) => runs.some(({ of }) => of === capture))?.folder ?? null;
  const entries: (readonly [id: string, what: string, entry: Entry | null])[] = [
    ['capture', 'this capture', capture ? { capture: capture.id } : null],
    ['group', 'the group of this capture', folder === null ? null : { folder }],
  ];
  return entries.flatMap(([id, what, entry]) => {
    const place = entry && groups.placeOf(entry);
    return ([-1, 1] as const).map((by) => {
      const to = (place?.at ?? 0) + by;
      return {
        id: `${id}-${by < 0 ? 'up' : 'down'}`,
        title: `Move ${what} ${by < 0 ? 'up' : 'down'} in the library`,
        group: 'Library',
        disabled: !place || to < 0 || to >= place.count,
        run: () => {
          const now = entry && groups.move(entry, to);
          if (now) app.announcer.say(placeWords(now));
        },
      };
    });
  });
}
