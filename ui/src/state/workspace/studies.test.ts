import { describe, expect, it } from 'vitest';
import type { Backend, CallOptions } from '../../ipc/backend';
import { Failure } from '../../ipc/backend';
import type { StudyFoundView } from '../../ipc/gen/types';
import { Prefs } from '../window/prefs.svelte';
import { Studies, StudyRun } from './studies.svelte';
import { StudyDraft } from './studydraft.svelte';

const FOUND: StudyFoundView = {
  folder: '/runs',
  patterns: ['{scenario}/{timer}-seed{seed}/a.pcap'],
  captures: [
    { path: 'x/default-seed1/a.pcap', tags: { scenario: 'x', timer: 'default', seed: '1' }, ran: 'coap_default' },
    { path: 'x/cocoa-seed1/a.pcap', tags: { scenario: 'x', timer: 'cocoa', seed: '1' }, ran: null },
  ],
  others: [],
  ran: [
    { id: 'coap_default', params: {} },
    { id: 'cocoa_cf3', params: {} },
  ],
  study: null,
};

describe('a study that is made from a folder', () => {
  const draft = () => {
    const draft = new StudyDraft('/home/me/runs/', [{ id: 'coap_default', params: {} }]);
    draft.learn(FOUND);
    return draft;
  };

  it('is called as the folder, with the usual timers and those that ran, each once', () => {
    const made = draft();
    expect(made.name).toBe('runs');
    expect(made.timers.map(({ id }) => id)).toEqual(['coap_default', 'cocoa_cf3']);
    expect(made.keys).toEqual(['scenario', 'timer', 'seed']);
    expect(made.tasks).toBe(4);
    expect(made.request, 'without a place there is nothing to write').toBe(null);
  });

  it('keeps edited tags and left out captures, and other timers when names are read again', () => {
    const made = draft();
    made.path = '/home/me/runs/study.toml';
    made.tag('x/default-seed1/a.pcap', 'room', ' cellar ');
    made.tag('x/default-seed1/a.pcap', 'seed', '');
    made.take('x/cocoa-seed1/a.pcap', false);
    made.toggle({ id: 'cocoa_cf3', params: {} });
    expect(made.request).toMatchObject({
      captures: [{ path: 'x/default-seed1/a.pcap', tags: { scenario: 'x', timer: 'default', room: 'cellar' } }],
      left_out: ['x/cocoa-seed1/a.pcap'],
      timers: [{ id: 'coap_default', params: {} }],
    });
    expect(made.keys).toEqual(['scenario', 'timer', 'seed', 'room']);
    made.learn(FOUND);
    expect(made.timers).toHaveLength(1);
    expect(made.tasks).toBe(2);
  });
});

describe('a run of a study', () => {
  it('tells rate and time left from its own tasks', () => {
    const run = new StudyRun('/s.toml');
    run.report({ done: 0, total: 0 }, 0);
    expect(run.left).toBe(null);
    run.report({ done: 10, total: 110 }, 1000);
    run.report({ done: 30, total: 110 }, 11_000);
    expect([run.rate, run.left]).toEqual([2, 40]);
  });

  it('is one at a time, is stopped without an error, and goes on while another study is open', async () => {
    const asked: string[] = [];
    const backend = {
      call: (name: string, _request: unknown, { signal }: CallOptions = {}) => {
        asked.push(name);
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Failure('cancelled', 'Cancelled')));
        });
      },
    } as unknown as Backend;
    const prefs = new Prefs();
    const studies = new Studies(backend, prefs);
    studies.open('/a.toml');
    const run = studies.run();
    expect(studies.busy).toBe(true);
    studies.open('/b.toml');
    expect([studies.busy, studies.running?.path]).toEqual([false, '/a.toml']);
    await studies.run();
    expect(asked.filter((name) => name === 'study_run')).toHaveLength(1);
    studies.stop();
    await run;
    expect([studies.running, studies.failure]).toEqual([null, undefined]);
    expect(prefs.get('studies')).toEqual(['/b.toml', '/a.toml']);
  });

  it('says why it did not begin', async () => {
    const call = () => Promise.reject(new Failure('request', 'rows of two programs'));
    const studies = new Studies({ call } as unknown as Backend, new Prefs());
    studies.open('/a.toml');
    await studies.run();
    expect(studies.failure?.message).toBe('rows of two programs');
  });
});

describe('the report of a study', () => {
  it('is that of the open study, over the chosen axis, called as the study', async () => {
    const calls: [string, unknown][] = [];
    let place: string | null = '/reports/a.md';
    const backend = {
      call: (name: string, request: unknown) => {
        calls.push([name, request]);
        return Promise.resolve(name === 'study_grid' ? { name: 'Sleepy / one?', tasks: 3 } : null);
      },
      save: (name: string) => {
        calls.push(['save', name]);
        return Promise.resolve(place);
      },
    } as unknown as Backend;
    const studies = new Studies(backend, new Prefs());
    expect(await studies.saveReport('html')).toBe(null);
    studies.open('/runs/a.b.toml');
    expect(studies.reportable, 'before its rows are known').toBe(false);
    expect(await studies.saveReport('markdown')).toBe('/reports/a.md');
    studies.want();
    await expect.poll(() => studies.reportable).toBe(true);
    studies.showOver('rto_max');
    place = null;
    expect(await studies.saveReport('html')).toBe(null);
    studies.open('/runs/c');
    expect(studies.over, 'another study has other axes').toBe(null);
    expect(calls.filter(([name]) => name !== 'study_grid')).toEqual([
      ['save', 'a.b.md'],
      ['study_report', { study: '/runs/a.b.toml', over: null, form: 'markdown', path: '/reports/a.md' }],
      ['save', 'sleepy-one-.html'],
    ]);
  });
});
