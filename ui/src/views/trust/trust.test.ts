import { fireEvent, render, screen, within } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import Within from '../../../test/unit/Within.svelte';
import type { Backend } from '../../ipc/backend';
import type { GateView, HalvesView, ShareCheckView, TrustView } from '../../ipc/gen/types';
import type { Capture } from '../../state/capture/capture.svelte';
import { Nodes } from '../../state/capture/nodes.svelte';
import { Trust } from '../../state/replay/trust.svelte';
import type { Session } from '../../state/session.svelte';
import { patternGrid, patternWords } from './patterns';
import { exceptionWords, checksTable, checkText, gateWords, namedTrust, parameterName, parameterValue } from './text';
import { enterSelfReplay, leaveSelfReplay } from './selfreplay';
import Panel from './Trust.svelte';

// jsdom measures nothing: panels keep the width that they begin with.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = vi.fn();
    unobserve = vi.fn();
    disconnect = vi.fn();
  },
);

const check = (label: string, recorded: number, agreement: TrustView['checks'][number]['agreement'], unit = 's') => ({
  ...{ measure: label, label, unit, recorded, mean: 19.9, lo90: 15.61, hi90: 24.76, agreement },
});
const parameter = (name: string, over: Partial<TrustView['parameters'][number]> = {}) => ({
  ...({ name, value: 19, lo: 19, hi: 19, unit: 'slots', known: 'computed', observations: 5446, source: null } as const),
  ...over,
});
const share = (subject: string, recorded: number, agreement: ShareCheckView['agreement'] = 'inside') => ({
  ...{ subject, observations: 835, recorded, mean: 0.6, lo90: 0.58, hi90: 0.63, agreement },
});
const gate = (kind: GateView['kind'], label: string, over: Partial<GateView> = {}): GateView => ({
  ...{ kind, label, inside: 7, many: 8, expected: 7.2, misplaced: null, misplaced_by_chance: null },
  ...{ closed: false, about: '' },
  ...over,
});
const VIEW: TrustView = {
  channel: 'twin',
  why: 'network twin: asked about its own capture it is right (1 of 3 measures inside its 90 % intervals, the rest near)',
  timer: { id: 'cocoa', params: { k: 4 } },
  until: null,
  checks: [
    check('mean completion time', 17.12, 'inside'),
    check('median completion time', 25, 'near'),
    check('late', 90, 'outside'),
  ],
  gates: [
    gate('self_replay', 'self-replay'),
    gate('patterns', 'attempt patterns', {
      inside: 58,
      many: 64,
      expected: 57.6,
      misplaced: 0.021,
      misplaced_by_chance: 0.015,
    }),
  ],
  links: [
    {
      from: 'mote 2',
      to: 'mote 1',
      packets: 835,
      patterns: [share('.A', 0.2, 'outside'), share('A', 0.6), share('', 0.01)],
    },
  ],
  senders: [share('1', 0.6), share('4', 0.01, 'near')],
  forwarding: [share('mote 2', 0.98)],
  parameters: [
    parameter('slotframe'),
    parameter('slotframe', { hi: 397 }),
    parameter('reception', { value: 0.9004, lo: 0.8949, hi: 0.9058, unit: '', known: 'inferred', observations: 8254 }),
    parameter('min-back-off-exponent', {
      ...({ value: 1, lo: 1, hi: 1, unit: '', known: 'preset', observations: 0 } as const),
      source: 'tsch-conf.h: TSCH_MAC_MIN_BE',
    }),
  ],
  stack: { id: 'contiki-ng-tsch', how: 'assumed', says: 'Contiki-NG with TSCH, 2024 (assumed: alike in all stacks)' },
  stacks: [
    { id: 'contiki-ng-tsch', name: 'Contiki-NG with TSCH, 2024' },
    { id: 'riot', name: 'RIOT, 2024' },
  ],
};
const REFUSED: TrustView = {
  channel: 'empirical',
  why: 'empirical, without a network twin: the capture has no frames',
  timer: null,
  until: null,
  ...{ checks: [], gates: [], links: [], senders: [], forwarding: [], parameters: [] },
  stack: null,
  stacks: [{ id: 'riot', name: 'RIOT, 2024' }],
};

/** Texts of the cells of a row. */
const cells = (row: HTMLElement) =>
  [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim());

const CHOSEN = [{ id: 'cocoa_plus', params: {} }];

const HALVES: HalvesView = {
  gate: gate('halves', 'halves', { inside: 40, many: 44, expected: 39.5 }),
  checks: [check('copies answered', 0.7, 'near', 'fraction')],
  refusal: null,
};

async function panel(answer: () => Promise<TrustView>, known = true, halves: HalvesView = HALVES) {
  const call = vi.fn((name: string): Promise<unknown> => (name === 'halves' ? Promise.resolve(halves) : answer()));
  const trust = new Trust({ call } as unknown as Backend, 3);
  trust.show(true);
  const [showOnly, set, compareWith] = [vi.fn(), vi.fn(), vi.fn()];
  const [assume, next] = [vi.fn(() => Promise.resolve()), { show: vi.fn() }];
  const app = {
    algorithms: { spec: () => (known ? { name: 'CoCoA' } : undefined), show: showOnly, chosen: CHOSEN },
    prefs: { set, get: () => 'auto' },
    workspace: { compareWith, baseline: 'lee2016' },
    announcer: { toast: vi.fn() },
    library: { assume, current: { trust: next } },
  } as unknown as Session;
  const none = { association: null, vantage: null, workload: null, stack: null };
  const nodes = new Nodes();
  const capture = { trust, nodes, view: { name: 'a.pcap' }, saidOf: () => none } as unknown as Capture;
  render(Within, { props: { of: Panel as Component<Record<string, unknown>>, props: { capture }, app } });
  await vi.waitFor(() => expect(trust.reply.pending).toBe(false));
  return { trust, call, showOnly, set, compareWith, app, capture, assume, next };
}

describe('the Trust panel', () => {
  it('shows each check with its verdict in a word and a sign, and each parameter with how it is known', async () => {
    const { call } = await panel(() => Promise.resolve(VIEW));
    expect(call).toHaveBeenCalledWith('trust', { capture: 3 }, expect.anything());
    const rows = within(await screen.findByRole('table', { name: 'Self-replay' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(cells)).toEqual([
      ['Mean completion time', '17.1 s', '15.6 – 24.8', '', 'inside'],
      ['Median completion time', '25.0 s', '15.6 – 24.8', '', 'near'],
      ['Late', '90.0 s', '15.6 – 24.8', '', 'outside'],
    ]);
    const signs = rows.map((row) => row.querySelector('.verdict path')?.getAttribute('d'));
    expect(new Set(signs).size, 'three shapes').toBe(3);
    const parameters = within(screen.getByRole('table', { name: 'Parameters' }))
      .getAllByRole('row')
      .slice(1);
    expect(parameters.map(cells)).toEqual([
      ['Slotframe', '19 slots', 'computed', '5 446'],
      ['Slotframe', '19 slots (19 – 397)', 'computed', '5 446'],
      ['Reception', '0.900 (0.895 – 0.906)', 'inferred', '8 254'],
      ['Min back-off exponent', '1', 'preset', '–'],
    ]);
    expect(screen.getByText(/^Network twin: asked about its own capture it is right/)).toBeInTheDocument();
  });

  it('shows the gates as fractions beside what chance expects, halves when they are there', async () => {
    const { call } = await panel(() => Promise.resolve(VIEW));
    const items = () =>
      within(screen.getByRole('list', { name: 'Gates' }))
        .getAllByRole('listitem')
        .map((item) => cells(item).join(' | '));
    await vi.waitFor(() => expect(items()).toHaveLength(3));
    expect(call).toHaveBeenCalledWith('halves', { capture: 3 }, expect.anything());
    expect(items()).toEqual([
      'Self-replay | 7 of 8 inside 90 %, 7 expected',
      'Attempt patterns | 58 of 64 inside 90 %, 58 expected | 2.1 % elsewhere, 1.5 % by chance',
      'Halves | 40 of 44 inside 90 %, 40 expected',
    ]);
    expect(screen.getByRole('table', { name: 'Second half' })).toBeInTheDocument();
  });

  it('says why the first half gives no twin', async () => {
    await panel(() => Promise.resolve(VIEW), true, { gate: null, checks: [], refusal: 'the capture is too short' });
    expect(await screen.findByText('not asked: the capture is too short')).toBeInTheDocument();
    expect(screen.queryByRole('table', { name: 'Second half' })).toBeNull();
  });

  it('draws attempt patterns with the marks of fates, and marks what is outside', async () => {
    await panel(() => Promise.resolve(VIEW));
    const picture = await screen.findByRole('img', { name: /^mote 2 to mote 1, 835 packets/ });
    expect(picture.getAttribute('aria-label')).toContain('not, then acknowledged 20.0 %, twin 58.0 to 63.0 %, outside');
    expect(picture.querySelectorAll('rect.bar')).toHaveLength(3);
    expect(picture.querySelectorAll('path.off')).toHaveLength(1);
    const marks = document.querySelector('svg.marks')!;
    const attempts = [...marks.querySelectorAll('rect')].map((rect) => rect.classList.contains('acknowledged'));
    expect(attempts, 'A, then .A').toEqual([true, false, true]);
  });

  it('names senders and nodes in tables of their own', async () => {
    await panel(() => Promise.resolve(VIEW));
    const rows = (name: string) => within(screen.getByRole('table', { name })).getAllByRole('row').slice(1).map(cells);
    await screen.findByRole('table', { name: 'Senders at once' });
    expect(rows('Senders at once').map(([who, recorded]) => [who, recorded])).toEqual([
      ['one', '60.0 %'],
      ['four or more', '1.0 %'],
    ]);
    expect(rows('Forwarding').map(([who]) => who)).toEqual(['mote 2']);
  });

  it('draws the recorded rule inside the bar, beside it, or at the edge of the row', async () => {
    await panel(() => Promise.resolve(VIEW));
    const rows = within(await screen.findByRole('table', { name: 'Self-replay' }))
      .getAllByRole('row')
      .slice(1);
    const drawn = rows.map((row) => {
      const [bar, rule] = [row.querySelector('rect'), row.querySelector('line.rule')];
      const left = Number(bar?.getAttribute('x'));
      const right = left + Number(bar?.getAttribute('width'));
      return [Number(rule?.getAttribute('x1')), left, right] as const;
    });
    const [inside, near, outside] = drawn;
    expect(inside![0]).toBeGreaterThan(inside![1]);
    expect(inside![0]).toBeLessThan(inside![2]);
    expect(near![0]).toBeGreaterThan(near![2]);
    expect(outside![0]).toBe(112);
    expect(new Set(drawn.map(([, left, right]) => right - left)).size, 'equally long').toBe(1);
  });

  it('shows the timer that was running through the twin in place of the comparison, and gives that back', async () => {
    const { trust, showOnly, set, compareWith, app, capture } = await panel(() => Promise.resolve(VIEW));
    await fireEvent.click(await screen.findByRole('button', { name: 'Self-replay' }));
    await vi.waitFor(() => expect(showOnly).toHaveBeenCalledWith([VIEW.timer]));
    expect(set).toHaveBeenCalledWith('channel', 'twin');
    expect(compareWith).toHaveBeenCalledWith(null);
    expect(trust.open).toBe(false);
    // A second time it does not forget what there was before.
    await enterSelfReplay(app, capture);
    leaveSelfReplay(app, capture);
    expect(showOnly).toHaveBeenLastCalledWith(CHOSEN);
    expect(set).toHaveBeenLastCalledWith('channel', 'auto');
    expect(compareWith).toHaveBeenLastCalledWith('lee2016');
    expect(trust.before).toBeNull();
  });

  it('says which stack was found, and lets a person say another, in a refusal too', async () => {
    const { assume, next } = await panel(() => Promise.resolve(VIEW));
    expect(await screen.findByText(/assumed: alike in all stacks/)).toBeInTheDocument();
    expect(screen.getByTitle('tsch-conf.h: TSCH_MAC_MIN_BE')).toBeInTheDocument();
    await fireEvent.change(screen.getByLabelText('Stack of the nodes'), { target: { value: 'riot' } });
    expect(assume).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({ association: null, stack: 'riot' }),
    );
    await vi.waitFor(() => expect(next.show).toHaveBeenCalledWith(true));
  });

  it('offers the stacks where there is no twin', async () => {
    const { assume } = await panel(() => Promise.resolve(REFUSED));
    await fireEvent.change(await screen.findByLabelText('Stack of the nodes'), { target: { value: 'riot' } });
    expect(assume).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ stack: 'riot' }));
  });

  it('has no self-replay of a timer that this program does not have', async () => {
    await panel(() => Promise.resolve(VIEW), false);
    expect(await screen.findByRole('button', { name: 'Self-replay' })).toBeDisabled();
  });

  it('says the reason of a refusal in place of the tables', async () => {
    await panel(() => Promise.resolve(REFUSED));
    expect(
      await screen.findByText('Empirical, without a network twin: the capture has no frames.'),
    ).toBeInTheDocument();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Self-replay' })).toBeNull();
  });

  it('says what went wrong, asks again, and closes with Esc', async () => {
    const answers = [() => Promise.reject(new Error('no such capture')), () => Promise.resolve(VIEW)];
    const { trust } = await panel(() => (answers.shift() ?? answers[0]!)());
    expect(await screen.findByText('no such capture')).toBeInTheDocument();
    await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByRole('table', { name: 'Self-replay' });
    await fireEvent.keyDown(screen.getByRole('region', { name: 'Trust' }), { key: 'Escape' });
    expect(trust.open).toBe(false);
  });
});

describe('patterns', () => {
  it('stand in one order in all panels: short ones first, the earliest acknowledgement first, the rest last', () => {
    const link = (subjects: string[]) => ({
      ...{ from: 'a', to: 'b', packets: 40 },
      patterns: subjects.map((subject) => share(subject, 0.1)),
    });
    const { rows, x, ticks } = patternGrid([link(['', '..A', 'A']), link(['.A', 'AA', '...'])], 100);
    expect(rows).toEqual(['A', 'AA', '.A', '..A', '...', '']);
    expect([x(0), x(0.63), ticks[0]]).toEqual([0, 100, 0]);
  });
  it('are told in words', () => {
    expect(patternWords('.A')).toBe('not, then acknowledged');
    expect(patternWords('')).toBe('any other pattern');
    expect(gateWords(gate('patterns', 'attempt patterns')).elsewhere).toBe('');
  });
});

describe('its words', () => {
  it('name the measures that are not inside', () => {
    expect(exceptionWords(VIEW.checks)).toBe('Outside: late. Near: median completion time.');
    expect(exceptionWords(VIEW.checks.slice(0, 1))).toBe('Every measure is inside.');
  });
  it('are in shown units', () => {
    const share = {
      ...check('needless copies', 0.6218, 'inside', 'fraction'),
      mean: 0.6387,
      lo90: 0.5633,
      hi90: 0.6893,
    };
    expect(checkText(share)).toEqual({ recorded: '62', interval: '56 – 69', mean: '64', unit: '%' });
    // Digits are as many as tell what is outside from the interval; a unit that the label says is not said again.
    const near = { ...check('frames on the air', 808.2, 'near', 'frames'), lo90: 700, hi90: 807.9 };
    expect(checkText(near)).toMatchObject({ recorded: '808.2', interval: '700.0 – 807.9', unit: '' });
    expect(checkText(check('95th percentile of completion times', 17, 'inside')).unit).toBe('s');
    expect(parameterName('max-back-offs')).toBe('Max back-offs');
    expect(parameterValue(parameter('back-off-unit', { value: 0.32, lo: 0.32, hi: 0.32, unit: 'ms' }))).toBe(
      '0.320\u00a0ms',
    );
  });
  it('are copied with every digit and the reason', () => {
    const table = checksTable(VIEW, 'a.pcap', HALVES);
    expect(table.rows[0]).toEqual(
      ['measure', 'mean completion time', 's', '', '17.12', '19.9', '15.61', '24.76', 'inside'], // prettier-ignore
    );
    expect(table.rows.map(([gate]) => gate)).toEqual(
      ['measure', 'measure', 'measure', 'patterns', 'patterns', 'patterns', 'senders', 'senders', 'forwarding', 'halves'], // prettier-ignore
    );
    expect(table.rows[3]?.[1]).toBe('mote 2 to mote 1: .A');
    expect(table.note).toContain('a.pcap: network twin');
  });
  it('call nodes as the reader does, also in copies, and nothing else', () => {
    const nodes = new Nodes();
    nodes.rename('mote 2', 'boiler');
    const view = { ...VIEW, why: 'another sniffer beside mote 2 would help' };
    const copied = (trust: TrustView) => checksTable(trust, 'a.pcap', HALVES);
    const rows = copied(view).rows.map((row) => row.map((cell) => cell?.replace(/\bmote 2\b/, 'boiler')));
    expect(copied(namedTrust(view, nodes)).rows).toEqual(rows);
    expect(rows.flat().filter((cell) => cell?.includes('boiler')).length).toBeGreaterThan(1);
    expect(copied(namedTrust(view, nodes)).note).toBe('a.pcap: another sniffer beside boiler would help');
  });
});
