import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
import type { CaptureView, ClockView, LiveView } from '../../ipc/gen/types';
import { Live } from './live.svelte';

const device = (frames: number, rate = 0, dropped = 0, lost = 0, name = '/dev/ttyACM0') => ({
  device: name,
  condition: 'listening' as const,
  why: '',
  channel: 15,
  frames,
  rate,
  dropped,
  lost,
  damaged: 0,
  garbage: 0,
  gaps: 0,
  stalls: 0,
});
const view = (is_running: boolean, ...devices: LiveView['devices']): LiveView => ({
  path: '/x/live.pcapng',
  is_running,
  trouble: '',
  frames: devices.reduce((sum, { frames }) => sum + frames, 0),
  octets: 0,
  unwritten: 0,
  devices,
  capture: null,
});

/** A capture as far as this reads it. */
const read = (id: number, clocks: Partial<ClockView>[]) => ({ id, read_as: { clocks } }) as unknown as CaptureView;

function backend(answers: Record<string, (() => unknown)[]>, chosen: string | null = null) {
  const asked: [string, unknown][] = [];
  const call = (name: string, request: unknown) => {
    asked.push([name, request]);
    const queue = answers[name] ?? [];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? (() => null);
    return new Promise((resolve) => resolve(answer()));
  };
  const save = () => Promise.resolve(chosen);
  return { backend: { call, save } as unknown as Backend, asked, names: () => asked.map(([name]) => name) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Live', () => {
  it('offers what is plugged in, and finds a recording that runs', async () => {
    const listed = [{ device: '/dev/ttyACM0', name: 'RTOscope sniffer', is_sniffer: true }];
    const { backend: b } = backend({ live_devices: [() => listed], live_state: [() => view(true, device(3))] });
    const live = new Live(b, vi.fn());
    await live.start();
    expect([live.plans[0]?.device, live.running, live.view?.frames]).toEqual(['/dev/ttyACM0', true, 3]);
  });

  it('records, looks every second, shows what grows, and stops', async () => {
    const grown = read(4, []);
    const {
      backend: b,
      asked,
      names,
    } = backend({
      live_start: [() => view(true, device(0))],
      live_state: [() => view(true, device(5, 5, 2, 1))],
      live_refresh: [() => grown],
      live_stop: [() => view(false, device(9, 0, 2, 1))],
    });
    const grew = vi.fn();
    const live = new Live(b, grew);
    [live.plans, live.path] = [[{ device: ' /dev/ttyACM0 ', channel: 15 }], '/x/live.pcapng'];
    await live.record();
    expect(asked[0]).toEqual([
      'live_start',
      { devices: [{ device: '/dev/ttyACM0', channel: 15 }], path: '/x/live.pcapng' },
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([live.view?.frames, live.missing, live.rates]).toEqual([5, 3, [5]]);
    expect(grew).toHaveBeenCalledWith(grown);
    live.follows = false;
    await vi.advanceTimersByTimeAsync(3000);
    expect(grew).toHaveBeenCalledTimes(1);
    expect(live.rates).toEqual([5, 5, 5, 5]);
    await live.moveTo(0, 20);
    expect(asked.at(-1)).toEqual(['live_channel', { device: 0, channel: 20 }]);
    await live.stop();
    expect([live.running, live.view?.frames]).toEqual([false, 9]);
    expect(names().slice(-2)).toEqual(['live_stop', 'live_refresh']);
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked.length).toBe(before);
  });

  it('reads a long recording less often', async () => {
    const slow = () => (vi.advanceTimersByTime(1000), read(1, []));
    const { backend: b, names } = backend({
      live_start: [() => view(true)],
      live_state: [() => view(true, device(1, 1))],
      live_refresh: [slow],
    });
    const live = new Live(b, vi.fn());
    await live.record();
    await vi.advanceTimersByTimeAsync(1000);
    // A reading of one second rests for three: a quarter of the time.
    await vi.advanceTimersByTimeAsync(2000);
    expect(names().filter((name) => name === 'live_refresh')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(names().filter((name) => name === 'live_refresh')).toHaveLength(2);
  });

  it('says why it does not begin, and goes on asking after one wrong answer', async () => {
    const refuse = () => {
      throw new Failure('request', '/x is there already and stays; choose another name.');
    };
    const { backend: b } = backend({
      live_start: [refuse, () => view(true)],
      live_state: [refuse, () => view(true, device(2))],
    });
    const live = new Live(b, vi.fn());
    await live.record();
    expect([live.failure?.message, live.running, live.busy]).toEqual([
      '/x is there already and stays; choose another name.',
      false,
      false,
    ]);
    await live.record();
    expect(live.failure).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect(live.failure).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect([live.failure, live.view?.frames]).toEqual([null, 2]);
  });

  it('takes several devices, each on a channel of its own', async () => {
    const listed = ['/dev/ttyACM0', 'cc2531:1-2'].map((name) => ({ device: name, name, is_sniffer: true }));
    const { backend: b, asked } = backend({
      live_devices: [() => listed],
      live_start: [() => view(true, device(0), device(0, 0, 0, 0, 'cc2531:1-2'))],
    });
    const live = new Live(b, vi.fn());
    await live.start();
    live.path = '/x/live.pcapng';
    await live.moveTo(0, 15);
    live.add();
    expect(live.plans[1]).toEqual({ device: 'cc2531:1-2', channel: 16 });
    // Nothing more is plugged in: it is to be typed, and until then nothing can be recorded.
    live.add();
    expect([live.plans[2]?.device, live.ready]).toEqual(['', false]);
    live.remove(2);
    expect(live.ready).toBe(true);
    await live.moveTo(1, 26);
    await live.record();
    const devices = [
      { device: '/dev/ttyACM0', channel: 15 },
      { device: 'cc2531:1-2', channel: 26 },
    ];
    expect(asked.at(-1)).toEqual(['live_start', { devices, path: '/x/live.pcapng' }]);
    await live.moveTo(1, 20);
    expect(asked.at(-1)).toEqual(['live_channel', { device: 1, channel: 20 }]);
    live.remove(0);
    live.remove(0);
    expect(live.plans).toHaveLength(1);
  });

  it('says of each device how its clock was brought onto the others’', async () => {
    const clocks = [{ source: '/dev/ttyACM0', common: 9 }, { source: 'zep:127.0.0.1:17754 device 7 at 10.0.0.5' }];
    const { backend: b } = backend({
      live_start: [() => view(true, device(0), device(0, 0, 0, 0, 'zep:127.0.0.1:17754'))],
      live_state: [() => view(true, device(9, 9))],
      live_refresh: [() => read(1, clocks)],
    });
    const live = new Live(b, vi.fn());
    await live.record();
    expect(live.clock('/dev/ttyACM0')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect([live.clock('/dev/ttyACM0'), live.clock('zep:127.0.0.1:17754')]).toEqual(clocks);
    expect(live.clock('/dev/ttyACM')).toBeUndefined();
    // Another recording has other clocks.
    await live.record();
    expect(live.clock('/dev/ttyACM0')).toBeUndefined();
  });

  it('asks where to record; a dialog that is dismissed changes nothing', async () => {
    const dismissed = new Live(backend({}).backend, vi.fn());
    dismissed.path = '/typed.pcapng';
    await dismissed.choose();
    expect(dismissed.path).toBe('/typed.pcapng');
    const live = new Live(backend({}, '/chosen.pcapng').backend, vi.fn());
    await live.choose();
    expect(live.path).toBe('/chosen.pcapng');
  });
});
