// Answers for a timer with other values of what no capture shows of the network twin.
import type { MetricSpec, SensitivityView } from '../../ipc/gen/types';
import { parameterName } from '../trust/text';

/** An answer with another value of a preset. */
export interface Otherwise {
  /** Value of the preset: `4`, `60 s`. */
  value: string;
  /** Mean of the measure, or those of two modes; none where it was refused. */
  means: readonly number[];
}

/** A preset and the answers with its other values, least value first. */
export interface PresetRow {
  name: string;
  /** Value as asked; `drawn` where each replicate draws one. */
  usual: string;
  answers: readonly Otherwise[];
  /** Greatest distance of an answer from the one as asked. */
  effect: number;
}

export interface PresetAnswers {
  /** Position of the timer in the reply. */
  algorithm: number;
  /** Mean as asked. */
  asked: number;
  /** Largest effect first. */
  rows: readonly PresetRow[];
}

/** Answers for the timer at position `algorithm`, or for the best one as asked; undefined where no preset was varied or it has no mean. */
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
