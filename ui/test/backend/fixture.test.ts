import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonical } from '../../src/ipc/canonical';
import { fixture } from './fixture';
import { distance } from './nearest';

it('canonical text does not depend on the order or on nulls', () => {
  expect(canonical({ b: 1, a: [{ y: null, x: 2 }] })).toBe('{"a":[{"x":2}],"b":1}');
});

describe('distance', () => {
  it('is infinite across captures', () => {
    expect(distance({ capture: 1 }, { capture: 2 })).toBe(Infinity);
  });
  it('prefers a window that holds the asked one, then the nearest resolution', () => {
    const asked = { t0: 10, t1: 20, px: 100 };
    const cost = (t0: number, t1: number, px: number) => distance(asked, { t0, t1, px });
    expect(cost(0, 100, 1000)).toBeLessThan(cost(15, 100, 850));
    expect(cost(0, 100, 1000)).toBeLessThan(cost(0, 100, 100));
  });
  it('prefers the nearest ratio of intervals', () => {
    const cost = (bins: number) => distance({ t0: 0, t1: 9, bins: 218 }, { t0: 0, t1: 9, bins });
    expect(cost(512)).toBeLessThan(cost(30));
  });
  it('prefers the last state at or before a time', () => {
    const cost = (at: number) => distance({ at: 100 }, { at });
    expect(cost(90)).toBeLessThan(cost(101));
  });
});

describe('the backend', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('answers exactly, else nearest, else says so', async () => {
    const files: Record<string, unknown> = {
      'index.json': {
        'startup null': 's.json',
        'step {"at":5,"backwards":false,"capture":1,"kind":"any"}': 'a.json',
        'step {"at":50,"backwards":false,"capture":1,"kind":"any"}': 'b.json',
        'open {"path":"bad"}': 'bad.error.json',
      },
      's.json': { version: '1' },
      'a.json': 'a',
      'b.json': 'b',
      'bad.error.json': { code: 'not_a_capture', message: 'No.', detail: null, at: 0 },
    };
    vi.stubGlobal('fetch', (url: string) => {
      const body = files[url.replace('f/', '')];
      return Promise.resolve({ ok: body !== undefined, status: 404, json: () => Promise.resolve(body) });
    });
    const backend = fixture('f/');
    expect(await backend.call('startup', null)).toEqual({ version: '1' });
    expect(await backend.call('step', { capture: 1, at: 60, kind: 'any', backwards: false, between: null })).toBe('b');
    await expect(
      backend.call('step', { capture: 2, at: 60, kind: 'any', backwards: false, between: null }),
    ).rejects.toThrow('Nothing was recorded');
    await expect(backend.call('open', { path: 'bad', sample: null, merge: null, decode: null })).rejects.toMatchObject({
      code: 'not_a_capture',
      at: 0,
    });
  });
});
