// Answers for a timer under other values of the presets of the network twin: parameters that no capture shows.
import type { MetricSpec, SensitivityView } from '../../ipc/gen/types';
import { parameterName } from '../trust/text';

/** Answer under another value of a preset. */
export interface Otherwise {
  /** Value of the preset with its unit: `4`, `60 s`. */
  value: string;
  /** Mean of the measure, or those of two modes, in the unit of the core; empty where the channel refused. */
  means: readonly number[];
}

/** A preset and the answers under its other values, in the order of the reply: the least value first. */
export interface PresetRow {
  /** Name of the preset for people. */
  name: string;
  /** Value as asked, with its unit; `drawn` where each replicate draws one. */
  usual: string;
  /** Answers, least value of the preset first. */
  answers: readonly Otherwise[];
  /** Greatest distance of an answer from the one as asked, in the unit of the measure. */
  effect: number;
}

/** Answers for one timer under all presets. */
export interface PresetAnswers {
  /** Position of the timer among the algorithms of the reply. */
  algorithm: number;
  /** Mean as asked, in the unit of the measure. */
  asked: number;
  /** Presets, the largest effect first. */
  rows: readonly PresetRow[];
}

/**
 * Answers for the timer at position `algorithm`; null: the one with the best mean as asked. Undefined where no preset
 * was varied, or the timer has no mean.
 */
export function presetAnswers(
  { variations }: SensitivityView,
  { name, smaller_is_better }: MetricSpec,
  algorithm: number | null = null,
): PresetAnswers | undefined {
  const means = variations[0]?.means.map((of) => of[name]) ?? [];
  const known = means.flatMap((mean, at) => (mean === undefined ? [] : [{ mean, at }]));
  const best = known.reduce<{ mean: number; at: number } | undefined>(
    (first, one) => (first && (smaller_is_better ? first.mean <= one.mean : first.mean >= one.mean) ? first : one),
    undefined,
  );
  const one = algorithm === null ? best : known.find(({ at }) => at === algorithm);
  if (!one) return undefined;
  const rows: Record<string, { usual: string; answers: Otherwise[] }> = {};
  for (const { preset, means, modes } of variations) {
    if (!preset) continue;
    const said = (value: number) =>
      `${String(Number(value.toPrecision(4)))}${preset.unit ? `\u00a0${preset.unit}` : ''}`;
    const row = (rows[preset.name] ??= { usual: preset.usual === null ? 'drawn' : said(preset.usual), answers: [] });
    const mean = means[one.at]?.[name];
    row.answers.push({
      value: said(preset.value),
      means: mean === undefined ? (modes[one.at]?.[name] ?? []) : [mean],
    });
  }
  const made = Object.entries(rows).map(([id, row]) => ({
    ...{ name: parameterName(id), ...row },
    effect: Math.max(0, ...row.answers.flatMap(({ means }) => means.map((mean) => Math.abs(mean - one.mean)))),
  }));
  if (made.length === 0) return undefined;
  return { algorithm: one.at, asked: one.mean, rows: made.sort((a, b) => b.effect - a.effect) };
}
