// Replay settings as one sentence, for captions, copies and reports.
import { plural } from '../../format';
import { CHANNELS, WORKLOADS } from '../../ipc/gen/words';
import type { Part } from './part.svelte';
import type { ReplaySettings } from './runs.svelte';
import { ruleWords } from './rules.svelte';

/** The settings as text. `of`: the capture, with the part of it that is replayed. */
export function settingsWords(
  { replicates, seed, channel, workload, policy }: ReplaySettings,
  of?: { part: Part; associations: readonly unknown[] },
): string {
  const rules = ruleWords(policy);
  const part = of?.part.words(of.associations.length);
  return [
    plural(replicates, 'replicate'),
    `seed ${seed}`,
    `channel ${CHANNELS[channel].label}`,
    `workload ${WORKLOADS[workload]}`,
    ...(part ? [part] : []),
    ...(rules ? [`rules: ${rules}`] : []),
  ].join(', ');
}
