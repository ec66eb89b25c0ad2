import { render, screen, within } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import Within from '../../../test/unit/Within.svelte';
import type { CurveView, DistributionView } from '../../ipc/gen/types';
import { seriesStyle } from '../../plot/series';
import type { Row } from './columns';
import { clientDomain, curvesOf, domainOf } from './distribution';
import Distribution from './Distribution.svelte';

vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = vi.fn();
    unobserve = vi.fn();
    disconnect = vi.fn();
  },
);

const curve = (median: number[], weight = 1): CurveView => ({
  ...{ times: median.map((_, at) => 2 ** at), median, weight },
  ...{ lo90: median.map((share) => share / 2), hi90: median },
});
const VIEW: DistributionView = {
  recorded: { ...curve([0, 0.2, 0.5, 0.9, 0.9]), lo90: [], hi90: [] },
  runs: [
    { run: 4, curves: [curve([0, 1, 1, 1, 1])] },
    { run: 7, curves: [curve([0, 0.8, 1, 1, 1], 0.57), curve([0, 0, 0.1, 0.5, 1], 0.43)] },
  ],
  clients: [
    { association: 2, name: 'mote 4', recorded: 9, runs: [{ mean: 2, lo90: 1, hi90: 3 }, { mean: 5, lo90: 4, hi90: 8 }] },
    { association: 0, name: 'mote 2', recorded: 3, runs: [{ mean: 2, lo90: 1, hi90: 3 }, { mean: null, lo90: null, hi90: null }] },
  ], // prettier-ignore
  all_clients: 5,
};
const row = (name: string, run: number | null, order: number) =>
  ({ item: { key: name, name }, run: run === null ? undefined : { run }, style: seriesStyle(order) }) as unknown as Row;
const ROWS = [row('CoCoA', 4, 0), row('RFC 6298', 7, 1), row('computed again', null, 2)];

describe('the distribution below the comparison', () => {
  it('has a curve for what was recorded and each timer, and one for each mode', () => {
    const curves = curvesOf(VIEW, ROWS);
    const names = ['recorded', 'CoCoA', 'RFC 6298, settled 57\u00a0%', 'RFC 6298, collapsed 43\u00a0%'];
    expect(curves.map(({ name }) => name)).toEqual(names);
    expect(curves[0]?.low, 'what was recorded has no band').toEqual([]);
    expect(curves[2]?.style, 'both modes look like their timer').toBe(curves[3]?.style);
  });

  it('spans the times at which some curve rises', () => {
    const [least, most] = domainOf(curvesOf(VIEW, ROWS));
    expect(least).toBeCloseTo(2 / 1.1);
    expect(most).toBeCloseTo(16 * 1.1);
    expect(domainOf([])).toEqual([0.1, 10]);
    expect(clientDomain(VIEW.clients)).toEqual([1 / 1.15, 9 * 1.15]);
    expect(clientDomain([])).toEqual([0.1, 10]);
  });

  it('draws all of it: labelled curves, and clients in the order of the core with their recorded value', () => {
    const props = { view: VIEW, rows: ROWS };
    render(Within, { props: { of: Distribution as Component<Record<string, unknown>>, props } });
    const picture = screen.getByRole('img', { name: /^Share of exchanges done over time/ });
    expect(picture.getAttribute('aria-label')).toContain('CoCoA, half by 2.0 s');
    const labels = [...document.querySelectorAll('.plot text')].map((text) => text.textContent);
    expect(labels).toEqual(curvesOf(VIEW, ROWS).map(({ name }) => name));
    const clients = within(screen.getByRole('list', { name: 'Clients' })).getAllByRole('listitem');
    expect(clients.map((client) => client.querySelector('h4')?.textContent)).toEqual([
      'mote 4 recorded 9.00\u00a0s',
      'mote 2 recorded 3.00\u00a0s',
    ]);
    expect(clients[0]?.querySelectorAll('line.rule'), 'a rule in each row').toHaveLength(2);
    expect(screen.getByText(/the greatest change first: 2 of 5/)).toBeInTheDocument();
  });
});
