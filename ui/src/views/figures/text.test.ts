import { describe, expect, it } from 'vitest';
import type { FigureView } from '../../ipc/gen/types';
import { shown, tableText } from './text';

describe('numbers of a figure', () => {
  it('are short on the screen', () => {
    expect(shown('2.7537409999999998', true)).toBe('2.75374');
    expect(shown('-0.000012345678', true)).toBe('-0.0000123457');
    expect(shown('12', true)).toBe('12');
    expect(shown('12345678901', false)).toBe('12345678901');
    expect(shown(null, true)).toBe('–');
  });

  it('are whole in copies, and names are escaped', () => {
    const figure = {
      title: 'T',
      caption: [],
      table: { columns: ['a_b'], numeric: [false], rows: [['50 % ~ x^2 < y > \\z']] },
    } as unknown as FigureView;
    expect(tableText(figure, 'latex')).toContain(
      '  50 \\% \\textasciitilde  x\\textasciicircum 2 $<$ y $>$ \\textbackslash z \\\\',
    );
    expect(tableText(figure, 'csv')).toBe('a_b\n50 % ~ x^2 < y > \\z\n');
    // Where no caption says what is not as usual, each row does.
    const unusual = { ...figure, settings: 'Rules: nstart 2, repeats.' };
    expect(tableText(unusual, 'csv')).toBe('a_b,settings\n50 % ~ x^2 < y > \\z,"Rules: nstart 2, repeats."\n');
    expect(tableText(unusual, 'markdown')).not.toContain('settings');
  });
});
