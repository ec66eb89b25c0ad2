import { clock } from '../../format';
import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** Commands that set flags at the playhead, list them and go from one to the next. */
export function flagCommands(app: Session): Action[] {
  const { capture, dialogs } = app;
  const none = capture === undefined;

  const plant = () => {
    if (!capture) return;
    const { at } = capture.playback;
    if (capture.flags.all.some((flag) => flag.at === at)) dialogs.flags = true;
    else {
      capture.flags.plant(at);
      app.announcer.say(`Flag at ${clock(at)}`);
    }
  };
  const goToFlag = (backwards: boolean) => {
    const found = capture && capture.flags.next(capture.playback.at, backwards);
    if (!found) {
      app.announcer.say(backwards ? 'No earlier flag' : 'No later flag');
      return;
    }
    capture.playback.seek(found.at);
    capture.viewport.reveal(found.at);
    app.announcer.say(`${clock(found.at)}, ${found.note || 'flag without a note'}`);
  };

  return [
    { id: 'flag', title: 'Flag the playhead', group: 'Replay', keys: ['F'], disabled: none, run: plant },
    {
      id: 'flags',
      title: 'Flags and their notes…',
      group: 'Replay',
      keys: ['Shift+F'],
      disabled: none,
      run: () => (dialogs.flags = true),
    },
    {
      id: 'flag-next',
      title: 'Next flag',
      group: 'Replay',
      keys: ['Alt+.'],
      disabled: none,
      run: () => goToFlag(false),
    },
    {
      id: 'flag-previous',
      title: 'Previous flag',
      group: 'Replay',
      keys: ['Alt+,'],
      disabled: none,
      run: () => goToFlag(true),
    },
  ];
}
