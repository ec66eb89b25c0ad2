import { describe, expect, it } from 'vitest';
import { tableText } from '../../parts/table/tabletext';
import { columns, linkTable, sorted } from './table';
import { load, view } from '../../../test/unit/networks';

describe('the table', () => {
  const all = columns(view, load);
  const order = (key: string, descending: boolean) =>
    sorted(
      view,
      all.find((column) => column.key === key),
      descending,
    );

  it('sorts, the unknown last in both directions', () => {
    expect(order('attempts', true)).toEqual([0, 1, 2]);
    expect(order('attempts', false)).toEqual([1, 0, 2]);
    expect(order('loss', true)).toEqual([1, 0, 2]);
    expect(order('nothing', true)).toEqual([0, 1, 2]);
  });
  it('has the window and the whole capture side by side', () => {
    expect(all.map((column) => column.text(0))).toEqual(['6', '50', '12', '–', '2.00', '–', '–', '1 / 3']);
    expect(all.map((column) => column.text(1))).toEqual(['2', '0', '4.0', '25.0', '1.50', '–', '–', '–']);
  });
  it('leaves out what cannot be known off 802.15.4', () => {
    const wired = columns({ ...view, channels: [] }, load);
    expect(wired.map(({ label }) => label)).toEqual(['messages', 'needless']);
  });
  it('copies every digit', () => {
    const [head, , second] = tableText(linkTable(view), 'csv').split('\n');
    expect(head?.split(',').length).toBe(second?.split(',').length);
    expect(second).toBe('mote 2,mote 1,10,8,,2,8,0.07,0.59,log,1.5,,,0.01,0,0,0');
    expect(tableText(linkTable(view), 'markdown').split('\n')[2]).toMatch(/^\| mote 1 \| mote 2 \| 10 \|/);
  });
});
