import { clock } from '../format';
import type { Action } from '../state/window/actions.svelte';
import type { Pair } from '../state/capture/time/playback.svelte';
import type { Session } from '../state/session.svelte';
import { VIEWS } from '../state/window/views';

/** Commands that need the shell's elements. */
export interface Shell {
  region: (back: boolean) => void;
}

/** Every two behaviours that may disagree, the recorded one among them. */
export function pairs(app: Session): { pair: Pair; names: readonly [string, string] }[] {
  const shown = [{ key: null, name: 'the recording' }, ...app.algorithms.shown.filter(({ draft }) => !draft)];
  return shown.flatMap((a, index) =>
    shown.slice(index + 1).map((b) => ({ pair: [a.key, b.key] as const, names: [a.name, b.name] as const })),
  );
}

/** All commands: the palette, the key map and the keys read this list. */
export function commands(app: Session, shell: Shell): Action[] {
  const { capture, dialogs, prefs } = app;
  const { live } = app.library;
  const viewport = capture?.viewport;
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

  const record = async () => {
    await (live.running ? live.stop() : live.record());
    if (live.failure) app.announcer.toast(live.failure.message, 'error');
  };

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
    { id: 'open', title: 'Open captures…', group: 'Library', keys: ['Mod+O'], run: () => void app.pick() },
    {
      // The panel is in the rail, and narrow windows show no more than icons there.
      id: 'record',
      title: live.running ? 'Stop recording' : 'Record from the sniffers',
      group: 'Library',
      disabled: live.busy || !(live.running || live.ready),
      run: () => void record(),
    },
    {
      id: 'session-open',
      title: 'Open a session…',
      group: 'Library',
      keys: ['Mod+Shift+O'],
      run: () => void app.saving.open(),
    },
    {
      id: 'session-save',
      title: app.saving.name ? `Save the session ${app.saving.name}` : 'Save the session…',
      group: 'Library',
      keys: ['Mod+S'],
      disabled: none,
      run: () => void app.saving.save(),
    },
    {
      id: 'session-save-as',
      title: 'Save the session as…',
      group: 'Library',
      keys: ['Mod+Shift+S'],
      disabled: none,
      run: () => void app.saving.save(true),
    },
    {
      id: 'report-save',
      title: 'Save a report…',
      group: 'Library',
      keys: ['Mod+Shift+E'],
      disabled: none,
      run: () => void app.report.save(),
    },
    ...prefs.get('recent').map(({ path }) => ({
      id: `recent-${path}`,
      title: `Open again ${path.split(/[/\\]/).at(-1) ?? path}`,
      group: 'Recent',
      run: () => void app.openPath(path),
    })),
    {
      id: 'decode-as',
      title: 'Decode as…',
      group: 'Library',
      disabled: none,
      run: () => (dialogs.decodeAs = capture?.id ?? null),
    },
    {
      id: 'tags',
      title: 'Tags of this capture…',
      group: 'Library',
      disabled: none,
      run: () => (dialogs.tags = capture?.id ?? null),
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

    {
      id: 'presets',
      title: 'Load presets of your own…',
      group: 'Algorithms',
      run: () => void app.loadPresets(),
    },
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
    { id: 'tour', title: 'Take the tour', group: 'Window and help', run: () => app.tour.restart() },
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
