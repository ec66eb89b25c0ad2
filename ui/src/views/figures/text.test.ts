import { describe, expect, it } from 'vitest';
import type { FigureView } from '../../ipc/gen/types';
import { tableText } from '../../parts/table/tabletext';
import { figureTable, firstPanel, shownRows, tableTitle, whyEmpty } from './text';

describe('a thumbnail', () => {
  const panel = (...marks: string[]) => ({ title: marks.join(), marks }) as unknown as FigureView['panels'][number];

  it('shows the first panel that has marks', () => {
    expect(firstPanel({ panels: [panel(), panel('bar', 'line')] })?.title).toBe('bar,line');
  });

  it('says what is missing, and is never empty without a word', () => {
    expect(whyEmpty({ panels: [panel('bar')], missing: ['zigbee: no CoAP.', 'x: one client.'] })).toBe(
      'zigbee: no CoAP. x: one client.',
    );
    expect(whyEmpty({ panels: [panel('bar')], missing: [] })).toBe('');
    expect(whyEmpty({ panels: [panel()], missing: [] })).not.toBe('');
  });
});

describe('numbers of a figure', () => {
  it('stand under each other on the screen, four digits of the greatest', () => {
    const table = {
      columns: ['who', 'n', 'median', 'p'],
      numeric: [false, true, true, true],
      rows: [
        ['12345678901', '36', '2.5372500000000001', '0.5'],
        ['b', '1049', '60', null],
        ['c', '7', '-0.5', '0.000012345678'],
      ],
    };
    expect(shownRows(table)).toEqual([
      ['12345678901', '36', '2.54', '0.5000'],
      ['b', '1\u202f049', '60.00', '–'],
      ['c', '7', '−0.50', '0.0000'],
    ]);
  });

  it('name their unit where all panels have one', () => {
    const of = (...units: string[]) =>
      tableTitle({ title: 'T', panels: units.map((unit) => ({ y: { unit } })) } as unknown as FigureView);
    expect([of('s', 's'), of('s', '%'), of('')]).toEqual(['T, s', 'T', 'T']);
  });

  it('are whole in copies, and names are escaped', () => {
    const figure = {
      title: 'T',
      caption: [],
      table: { columns: ['a_b'], numeric: [false], rows: [['50 % ~ x^2 < y > \\z']] },
    } as unknown as FigureView;
    expect(tableText(figureTable(figure), 'latex')).toContain(
      '  50 \\% \\textasciitilde{} x\\textasciicircum{}2 $<$ y $>$ \\textbackslash{}z \\\\',
    );
    expect(tableText(figureTable(figure), 'csv')).toBe('a_b\n50 % ~ x^2 < y > \\z\n');
    // Where no caption says what is not as usual, each row does.
    const unusual = { ...figure, settings: 'Rules: nstart 2, repeats.' };
    expect(tableText(figureTable(unusual), 'csv')).toBe(
      'a_b,settings\n50 % ~ x^2 < y > \\z,"Rules: nstart 2, repeats."\n',
    );
    expect(tableText(figureTable(unusual), 'markdown')).not.toContain('settings');
  });
});
