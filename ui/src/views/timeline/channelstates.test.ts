import { describe, expect, it } from 'vitest';
import type { ChannelStateSeries } from '../../ipc/gen/types';
import { timeScale } from '../../plot/scale';
import { area, estimate, excess, losses } from './channelstates';

const series: ChannelStateSeries = {
  at: [0, 50, 100, 150],
  bad: [0, 1, 0.5, 1],
  copy_at: [10, 60, 160],
  copy_chance: [0.1, 0.5, 0.5],
  copy_lost: [false, true, true],
  copy_excess: [-0.1, 9, 1],
};
const x = timeScale(0, 100, 10, 110);
const y = (share: number) => 20 - 10 * share;

describe('the strip of channel states', () => {
  it('draws what the window shows', () => {
    expect(area(series, x, y)).toBe('M 10.0 20.0 L 10.0 20.0 L 60.0 10.0 L 110.0 15.0 L 110.0 20.0 Z');
    expect(area({ ...series, bad: [] }, x, y)).toBe('');
    expect(losses(series, x)).toEqual([70]);
  });

  it('cuts the excess to its row', () => {
    expect(excess(series, x, y, 3)).toBe('M 20.0 21.0 L 70.0 -10.0');
    expect(excess({ ...series, copy_at: [10], copy_excess: [1] }, x, y, 3)).toBe('');
  });

  it('says how well a parameter is known', () => {
    expect(estimate({ value: 0.123, error: 0.02 }, 100, ' %')).toBe('12.3 ± 2.0 %');
    expect(estimate({ value: 3, error: null }, 1, ' s')).toBe('3.0 s');
    expect(estimate(null, 1, ' s')).toBe('–');
  });
});
