// Replay settings as one sentence, for captions, copies and reports.
import { plural } from '../../format';
import type { ChannelKind } from '../../ipc/gen/types';
import { CHANNELS, WORKLOADS } from '../../ipc/gen/labels';
import type { Part } from './part.svelte';
import type { ReplaySettings } from './runs.svelte';
import { ruleWords } from './rules.svelte';

/**
 * The channel to use where `channel` refuses a capture, each with less of a model than the one before; null after the
 * last.
 */
export function remedyFor(channel: ChannelKind): ChannelKind | null {
  if (channel === 'recorded') return null;
  return channel === 'empirical' ? 'recorded' : 'empirical';
}

/**
 * Channels in the order of menus: the one chosen by the capture, the network twin, then the others, the least modelled
 * last.
 */
export const CHANNEL_ORDER: readonly ChannelKind[] = [
  'auto',
  'twin',
  'queued',
  'loaded',
  'loaded_gilbert_elliott',
  'gilbert_elliott',
  'empirical',
  'recorded',
];

/** The settings as text; `of` is the capture, with the part of it that is replayed. */
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
