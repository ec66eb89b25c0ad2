import type { Session } from '../../state/session.svelte';
import { saveReport } from '../../views/study/saving';
import { usualTimers } from '../../views/study/timers';
import type { Action } from '../../state/window/actions.svelte';

/** Commands that open and record captures, and that open and save sessions and reports. */
export function fileCommands(app: Session): Action[] {
  const { capture, prefs } = app;
  const { live } = app.library;
  const none = capture === undefined;

  const record = async () => {
    await (live.running ? live.stop() : live.record());
    if (live.failure) app.announcer.toast(live.failure.message, 'error');
  };

  return [
    { id: 'open', title: 'Open captures…', group: 'Library', keys: ['Mod+O'], run: () => void app.pick() },
    { id: 'open-folder', title: 'Open a folder of runs…', group: 'Library', run: () => void app.pickFolder() },
    {
      // The panel is in the rail, and narrow windows show no more than icons there.
      id: 'record',
      title: live.running ? 'Stop recording' : 'Record from the sniffers',
      group: 'Library',
      disabled: live.busy || !(live.running || live.ready),
      run: () => void record(),
    },
    ...studyCommands(app),
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
  ];
}

/** Commands that open studies, and that save the report of the open one. */
function studyCommands(app: Session): Action[] {
  const { studies } = app.workspace;
  return [
    {
      id: 'study-runs',
      title: 'Study a folder of runs…',
      group: 'Library',
      run: () => {
        app.navigation.show('study');
        void studies.pickRuns(usualTimers(app));
      },
    },
    {
      id: 'study-open',
      title: 'Open a study…',
      group: 'Library',
      run: () => {
        app.navigation.show('study');
        void studies.pick('studies');
      },
    },
    {
      id: 'study-report',
      title: 'Save the report of the study…',
      group: 'Library',
      disabled: !studies.reportable,
      run: () => void saveReport(app, 'html'),
    },
  ];
}
