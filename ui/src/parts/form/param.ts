import { fixed } from '../../format';
import type { ParamSpec, ParamValue } from '../../ipc/gen/types';
import { labelOf, toNumber } from '../../state/replay/algorithms.svelte';

/** Legal range; open ends get one that suits a slider. */
export function rangeOf(spec: ParamSpec): [number, number] {
  const centre = Math.abs(toNumber(spec.default)) || 1;
  return [spec.min ?? 0, spec.max ?? centre * 4];
}

/** Logarithmic only where it can be. */
function logarithmic(spec: ParamSpec): boolean {
  return spec.scale === 'log' && rangeOf(spec)[0] > 0;
}

/** Place of a value on its slider, 0 to 1. */
export function toShare(spec: ParamSpec, value: number): number {
  const [min, max] = rangeOf(spec);
  if (logarithmic(spec)) return Math.log(Math.max(value, min) / min) / Math.log(max / min);
  return (value - min) / (max - min || 1);
}

/** Value at a place of the slider, rounded as a person would; near the default it is the default. */
export function fromShare(spec: ParamSpec, share: number): number {
  const [min, max] = rangeOf(spec);
  const standard = toNumber(spec.default);
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

/** A value as text of its field; a choice by its label. */
export function toText(spec: ParamSpec, value: ParamValue | boolean): string {
  if (typeof value !== 'number') return labelOf(spec, value);
  if (spec.unit === 'count') return String(value);
  const size = Math.abs(value);
  const decimals =
    value !== 0 && size < 0.1 ? 3 : size >= 100 ? 0 : spec.unit === 'factor' && Number.isInteger(value * 10) ? 1 : 2;
  const text = fixed(value, decimals);
  return Number(text.replaceAll('\u202f', '')) === value ? text : String(Number(value.toPrecision(5)));
}

export const UNIT_TEXT: Record<ParamSpec['unit'], string> = {
  seconds: 's',
  ratio: '',
  factor: '×',
  count: '',
  choice: '',
};

/** The error in a typed text; null where it is valid. */
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

/** Groups of a form: the parts of the algorithm that the parameters say they belong to, then the rest by what they are. */
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
