import { fixed } from '../../format';
import type { ParamSpec, ParamValue } from '../../ipc/gen/types';
import { labelOf, toNumber } from '../../state/replay/algorithms.svelte';

/**
 * Legal range of a parameter, in its unit. An open lower end is 0, an open upper end four times the default: for the
 * slider alone.
 */
export function rangeOf(spec: ParamSpec): [number, number] {
  const centre = Math.abs(toNumber(spec.default)) || 1;
  return [spec.min ?? 0, spec.max ?? centre * 4];
}

/** Whether the slider is logarithmic: it is declared so, and its range does not reach zero. */
function logarithmic(spec: ParamSpec): boolean {
  return spec.scale === 'log' && rangeOf(spec)[0] > 0;
}

/** Place on the slider of a value in the parameter's unit, 0 to 1 within its range. */
export function toShare(spec: ParamSpec, value: number): number {
  const [min, max] = rangeOf(spec);
  if (logarithmic(spec)) return Math.log(Math.max(value, min) / min) / Math.log(max / min);
  return (value - min) / (max - min || 1);
}

/**
 * Value at a place of the slider, 0 to 1, rounded as a person would; within 1.2 % of the default's place it is the
 * default.
 */
export function fromShare(spec: ParamSpec, share: number): number {
  const [min, max] = rangeOf(spec);
  const standard = toNumber(spec.default);
  // Chosen here by judgement: 1.2 % is two pixels of a track of 170 px; wider makes values beside the default
  // unreachable.
  if (Math.abs(toShare(spec, standard) - share) < 0.012) return standard;
  if (spec.unit === 'count') {
    return Math.round(logarithmic(spec) ? min * (max / min) ** share : min + share * (max - min));
  }
  if (logarithmic(spec)) {
    return Math.min(max, Math.max(min, Number((min * (max / min) ** share).toPrecision(2))));
  }
  const step = 10 ** Math.floor(Math.log10((max - min) / 80));
  const fine = [1, 2, 5, 10].map((k) => k * step).find((candidate) => (max - min) / candidate <= 160) ?? step;
  const value = min + Math.round((share * (max - min)) / fine) * fine;
  return Math.min(max, Math.max(min, Number(value.toPrecision(6))));
}

/** A value as text of its field, in its unit; a choice by its label. */
export function toText(spec: ParamSpec, value: ParamValue | boolean): string {
  if (typeof value !== 'number') return labelOf(spec, value);
  if (spec.unit === 'count') return String(value);
  const size = Math.abs(value);
  const decimals =
    value !== 0 && size < 0.1 ? 3 : size >= 100 ? 0 : spec.unit === 'factor' && Number.isInteger(value * 10) ? 1 : 2;
  const text = fixed(value, decimals);
  return Number(text.replaceAll('\u202f', '')) === value ? text : String(Number(value.toPrecision(5)));
}

/** Unit behind a field, by the unit that a parameter declares; empty for none. */
export const UNIT_TEXT: Record<ParamSpec['unit'], string> = {
  seconds: 's',
  ratio: '',
  factor: '×',
  count: '',
  choice: '',
};

/** The demand that a typed text does not meet, such as `a whole number`; null where it is valid. */
export function complaint(spec: ParamSpec, text: string): string | null {
  const value = toNumber(text);
  if (!Number.isFinite(value)) return 'a number or a fraction such as 1/8';
  const [min, max] = [spec.min ?? -Infinity, spec.max ?? Infinity];
  if (spec.unit === 'count' && !Number.isInteger(value)) return 'a whole number';
  if (value < min || value > max) {
    const unit = UNIT_TEXT[spec.unit] === 's' ? ' s' : '';
    return Number.isFinite(min) && Number.isFinite(max)
      ? `${min} to ${max}${unit}`
      : Number.isFinite(min)
        ? `at least ${min}${unit}`
        : `at most ${max}${unit}`;
  }
  return null;
}

/**
 * Groups of a form with their titles: the parts of the algorithm that parameters name, in order, then the other
 * parameters by kind.
 */
export function groups<P extends ParamSpec>(params: readonly P[]): { title: string; params: P[] }[] {
  const parts = [...new Set(params.map(({ group }) => group).filter(Boolean))];
  return [
    ...parts.map((part) => ({
      title: part.replace(/^./, (letter) => letter.toUpperCase()),
      params: params.filter(({ group }) => group === part),
    })),
    ...byKind(params.filter(({ group }) => !group)),
  ];
}

function byKind<P extends ParamSpec>(params: readonly P[]): { title: string; params: P[] }[] {
  const titles: [string, ParamSpec['unit'][]][] = [
    ['Weights and factors', ['factor', 'ratio']],
    ['Timers', ['seconds']],
    ['Counts', ['count']],
    ['Variant of the procedure', ['choice']],
  ];
  return titles
    .map(([title, units]) => ({ title, params: params.filter((param) => units.includes(param.unit)) }))
    .filter((group) => group.params.length > 0);
}
