import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
import type { AlertStage, AlertView, AlertsView, OpenAlertView } from '../../ipc/gen/types';
import { Announcer } from '../window/announcer.svelte';
import { Prefs } from '../window/prefs.svelte';
import { Alerts, EXAMPLES } from './alerts.svelte';

const RULE = 'needless > 20% for 5min';
const FILE = { source: 'followed' as const, path: '/x/growing.pcap' };
const SUMS = {
  client: '',
  exchanges: 0,
  answered: 0,
  failed: 0,
  open: 0,
  copies: 0,
  needless: 0,
  lost: 0,
  timer: null,
};

const alert = (number: number, stage: AlertStage = 'begin', client: string | null = 'mote 3'): AlertView => ({
  ...{ number, stage, client, rule: RULE, time: number * 1e9, utc: '', since: null, value: 0.3, threshold: 0.2 },
  ...{ exchanges: 20, copies: 40, text: 'needless: 30%, > 20% over 300 s' },
});

/** A reply with these alerts, of which `open` go on. */
const view = (alerts: AlertView[], open: OpenAlertView[] = [], more: Partial<AlertsView> = {}): AlertsView => ({
  ...{ ...FILE, capture: 0, ended: '', is_behind: false, frames: 9, judged: 1e9, latest: 400e9, delay: 307e9 },
  ...{ rules: [{ text: RULE, said: alerts.length, open }], alerts, all: SUMS, clients: [], notes: [] },
  ...more,
});

/** A core that gives each command its answers in turn, the last one again and again; rules with `?` are wrong. */
function watched(answers: Record<string, (() => unknown)[]>, stored: Record<string, unknown> = { alerts: [RULE] }) {
  const asked: [string, unknown][] = [];
  const call = (name: string, request: { rules: string[] }) => {
    asked.push([name, request]);
    if (name === 'alerts_check')
      return Promise.resolve(request.rules.map((rule) => (rule.includes('?') ? `\`${rule}\` is wrong` : '')));
    const queue = answers[name] ?? [];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? (() => null);
    return new Promise((resolve) => resolve(answer()));
  };
  let kept = JSON.stringify(stored);
  const prefs = new Prefs({ getItem: () => kept, setItem: (_, text) => (kept = text) });
  const announcer = new Announcer();
  const named = (client: string) => `reader’s ${client}`;
  const one = new Alerts({ call } as unknown as Backend, prefs, announcer, named);
  const names = () => asked.map(([name]) => name).filter((name) => name !== 'alerts_check');
  const sent = (name: string) => asked.filter(([other]) => other === name).map(([, request]) => request);
  return { one, asked, names, sent, announcer, prefs: () => (JSON.parse(kept) as { alerts: string[] }).alerts };
}

const numbers = (one: Alerts) => one.list.map(({ number }) => number);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Alerts', () => {
  it('watches what goes on, lists the newest first, and takes the rest at its end', async () => {
    const going = [{ client: 'mote 3', since: 1e9 }];
    const { one, names, sent } = watched({
      alerts_start: [() => view([])],
      alerts_look: [() => view([alert(1), alert(2)], going), () => view([alert(3, 'end')])],
      alerts_stop: [() => view([alert(4, 'event', null)])],
    });
    await one.attend(FILE);
    await one.attend({ ...FILE });
    expect([one.running, names(), one.open]).toEqual([true, ['alerts_start'], 0]);
    expect(sent('alerts_start')).toEqual([{ rules: [RULE], source: 'followed' }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([numbers(one), one.open, one.rows[0]?.state?.open]).toEqual([[2, 1], 1, going]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([numbers(one), one.open, sent('alerts_look')]).toEqual([[3, 2, 1], 0, [{ after: 0 }, { after: 2 }]]);
    await one.attend(null);
    expect([one.running, numbers(one), sent('alerts_stop')]).toEqual([false, [4, 3, 2, 1], [{ after: 3 }]]);
    expect(one.rows[0]?.state, 'nothing is watched').toBeUndefined();
    const before = names().length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(names()).toHaveLength(before);
  });

  it('says what is new, by the reader’s names, and not what was there when it began', async () => {
    const { one, announcer } = watched({
      alerts_start: [() => view([])],
      alerts_look: [
        () => view([alert(1), alert(2)], [], { is_behind: true }),
        () => view([alert(3)]),
        () => view([alert(4)]),
        () => view([alert(5), alert(6, 'event', null), alert(7, 'end')]),
        () => view([]),
      ],
    });
    await one.attend(FILE);
    await vi.advanceTimersByTimeAsync(2000);
    expect(announcer.said).toBe('');
    await vi.advanceTimersByTimeAsync(1000);
    expect(announcer.said).toBe(`Alert: ${RULE}, reader’s mote 3`);
    await vi.advanceTimersByTimeAsync(2000);
    expect(announcer.said).toBe(`2 alerts, the last: ${RULE}`);
    expect(announcer.toasts).toEqual([]);
  });

  it('watches the rules that are right, once each, and says what is wrong with the others', async () => {
    const { one, sent, prefs } = watched(
      { alerts_start: [() => view([])], alerts_look: [() => view([])], alerts_stop: [() => view([])] },
      { alerts: [` ${RULE}`, 'rain?', '', 'needless >  20% for 5min'] },
    );
    await one.attend(FILE);
    expect(sent('alerts_start')).toEqual([{ rules: [RULE], source: 'followed' }]);
    expect(one.rows.map(({ error }) => error)).toEqual(['', '`rain?` is wrong', '', 'this rule is there already']);
    expect(one.rows.map(({ state }) => state?.text)).toEqual([RULE, undefined, undefined, undefined]);
    await one.change(1, 'storm');
    expect(sent('alerts_start').at(-1)).toEqual({ rules: [RULE, 'storm'], source: 'followed' });
    await one.add('storm');
    expect([one.rows.length, sent('alerts_start').length]).toEqual([4, 2]);
    await one.remove(0);
    await one.remove(0);
    expect(prefs()).toEqual(['', 'needless >  20% for 5min']);
    expect(sent('alerts_start').at(-1)).toEqual({ rules: [RULE], source: 'followed' });
    await one.remove(1);
    expect([one.running, sent('alerts_stop').length]).toEqual([false, 1]);
  });

  it('asks for all again when times become known', async () => {
    const untimed = { ...alert(1), time: null };
    const { one, sent } = watched({
      alerts_start: [() => view([], [], { capture: null })],
      alerts_look: [() => view([untimed], [], { capture: null }), () => view([alert(1), alert(2)]), () => view([])],
    });
    await one.attend({ source: 'recording', path: '/x/live.pcapng' });
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent('alerts_look')).toEqual([{ after: 0 }, { after: 0 }, { after: 2 }]);
    expect(one.list.map(({ number, time }) => [number, time])).toEqual([
      [2, 2e9],
      [1, 1e9],
    ]);
  });

  it('waits for the reader where it ended, and begins anew', async () => {
    const ended = '/x/growing.pcap was cut while it was watched. Alerts end here.';
    const { one, names, sent } = watched({
      alerts_start: [() => view([])],
      alerts_look: [() => view([alert(1)], [], { ended }), () => view([])],
    });
    await one.attend(FILE);
    await vi.advanceTimersByTimeAsync(5000);
    expect([one.view?.ended, names()]).toEqual([ended, ['alerts_start', 'alerts_look']]);
    await one.again();
    expect([one.view?.ended, one.list, sent('alerts_start').length]).toEqual(['', [], 2]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent('alerts_look')).toHaveLength(2);
  });

  it('reads a quarter of the time, is turned off and on, and keeps why it failed', async () => {
    const slow = async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return view([], [], { is_behind: true });
    };
    const refuse = () => {
      throw new Failure('request', 'No file is followed: follow one, and start alerts then.');
    };
    const { one, sent } = watched({
      alerts_start: [() => view([]), refuse, () => view([])],
      alerts_look: [slow, () => view([])],
      alerts_stop: [() => view([])],
    });
    await one.attend(FILE);
    await vi.advanceTimersByTimeAsync(1000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent('alerts_look')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent('alerts_look')).toHaveLength(2);
    await one.turn(false);
    expect([one.on, one.running, sent('alerts_stop').length]).toEqual([false, false, 1]);
    await one.turn(true);
    expect([one.running, one.failure?.message.slice(0, 20)]).toEqual([false, 'No file is followed:']);
    await one.attend({ source: 'recording', path: '/x/live.pcapng' });
    expect([one.running, one.failure]).toEqual([true, null]);
  });

  it('offers rules with which the documentation begins', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../../docs/watch.md'), 'utf8');
    const [first = ''] = text.split('## Rules');
    for (const rule of EXAMPLES) expect(first).toMatch(new RegExp(`--alert '?${rule.replaceAll(/[%.]/g, '\\$&')}'?`));
  });
});
