import type { Pair } from '../../state/capture/time/playback.svelte';
import type { Session } from '../../state/session.svelte';
import type { Action } from '../../state/window/actions.svelte';

/** All pairs of behaviours that may disagree, the recorded one among them, with their names. */
export function pairs(app: Session): { pair: Pair; names: readonly [string, string] }[] {
  const shown = [{ key: null, name: 'the recording' }, ...app.algorithms.shown.filter(({ draft }) => !draft)];
  return shown.flatMap((a, index) =>
    shown.slice(index + 1).map((b) => ({ pair: [a.key, b.key] as const, names: [a.name, b.name] as const })),
  );
}

/** Commands that play the capture and step from event to event. */
export function playbackCommands(app: Session): Action[] {
  const { capture } = app;
  const playback = capture?.playback;
  const none = capture === undefined;

  const step = async (backwards: boolean) => {
    const found = await playback?.step(backwards);
    if (!found || !capture) {
      app.announcer.say(backwards ? 'No earlier event' : 'No later event');
      return;
    }
    capture.selection.hover('step', found.exchange);
    const name = capture.lane(found.association)?.client_name ?? '';
    app.announcer.say(`${found.copy === null ? 'Closing reply' : `Copy ${found.copy + 1}`}, ${name}`);
  };

  return [
    {
      id: 'play',
      title: playback?.playing ? 'Pause' : 'Play',
      group: 'Replay',
      keys: ['Space'],
      disabled: none,
      run: () => playback?.play(!playback.playing),
    },
    { id: 'step', title: 'Next event', group: 'Replay', keys: ['.'], disabled: none, run: () => void step(false) },
    {
      id: 'step-back',
      title: 'Previous event',
      group: 'Replay',
      keys: [','],
      disabled: none,
      run: () => void step(true),
    },
    {
      id: 'loop',
      title: 'Repeat the window',
      group: 'Replay',
      keys: ['L'],
      disabled: none,
      run: () => playback?.loop(!playback.looping),
    },
    { id: 'step-any', title: 'Step to any event', group: 'Replay', disabled: none, run: () => playback?.watch('any') },
    {
      id: 'step-retransmission',
      title: 'Step to retransmissions',
      group: 'Replay',
      disabled: none,
      run: () => playback?.watch('retransmission'),
    },
    {
      id: 'step-needless',
      title: 'Step to needless copies',
      group: 'Replay',
      disabled: none,
      run: () => playback?.watch('needless'),
    },
    {
      id: 'step-lost',
      title: 'Step to lost copies',
      group: 'Replay',
      disabled: none,
      run: () => playback?.watch('lost'),
    },
    ...pairs(app).map(({ pair, names }) => ({
      id: `step-apart-${String(pair[0])}-${String(pair[1])}`,
      title: `Step to where ${names[0]} and ${names[1]} disagree`,
      group: 'Replay',
      disabled: none,
      run: () => playback?.watch('disagreement', pair),
    })),
  ];
}

/** Commands that double and halve the speed of playing. */
export function speedCommands({ capture, prefs }: Session): Action[] {
  const none = capture === undefined;
  return [
    {
      id: 'faster',
      title: 'Faster',
      group: 'Replay',
      keys: ['Shift+ArrowUp'],
      disabled: none,
      run: () => prefs.set('speed', Math.min(1000, prefs.get('speed') * 2)),
    },
    {
      id: 'slower',
      title: 'Slower',
      group: 'Replay',
      keys: ['Shift+ArrowDown'],
      disabled: none,
      run: () => prefs.set('speed', Math.max(0.1, prefs.get('speed') / 2)),
    },
  ];
}
