// Self-replay: the timer that was running, sent through the network twin, in place of the comparison.
import type { Capture } from '../../state/capture/capture.svelte';
import type { Session } from '../../state/session.svelte';

/**
 * Shows the timer that was running, alone and through the twin. Resolves to null, or to the reason why that is not
 * possible.
 */
export async function enterSelfReplay(app: Session, capture: Capture): Promise<string | null> {
  await capture.trust.want();
  const timer = capture.trust.reply.value?.timer;
  if (!timer || !app.algorithms.spec(timer.id))
    return 'There is no network twin of this capture, or its timer is not known here';
  const { chosen } = app.algorithms;
  const before = { choices: chosen, channel: app.prefs.get('channel'), baseline: app.workspace.baseline };
  if (!capture.trust.before) capture.trust.takePlaceOf(before);
  app.algorithms.show([timer]);
  app.prefs.set('channel', 'twin');
  app.workspace.compareWith(null);
  capture.trust.show(false);
  return null;
}

/** Restores the timers, channel and baseline from before the self-replay; does nothing outside of one. */
export function leaveSelfReplay(app: Session, capture: Capture): void {
  const { before } = capture.trust;
  if (!before) return;
  capture.trust.takePlaceOf(null);
  app.algorithms.show(before.choices);
  app.prefs.set('channel', before.channel);
  app.workspace.compareWith(before.baseline);
}
