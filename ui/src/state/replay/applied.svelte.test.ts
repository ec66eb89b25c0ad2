import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc/backend';
import type { CoapStackView, RefusedView } from '../../ipc/gen/types';
import { Prefs } from '../window/prefs.svelte';
import { AppliedTimer } from './applied.svelte';

const REFUSED: RefusedView = { why: 'It would clamp.', remedy: 'Choose another value.' };
const stack = (id: string, lines: boolean, program: boolean): CoapStackView => ({
  ...{ id, name: id.toUpperCase(), version: '1', place: '', documentation: '' },
  ...{ lines_refused: lines ? null : REFUSED, program_refused: program ? null : REFUSED },
});
const TIMER = { id: 'cocoa', params: { k: 3 } };

async function used(stacks: readonly CoapStackView[], prefs = new Prefs(), path: string | null = '/x/lines.txt') {
  const call = vi.fn<(name: string, request: unknown) => Promise<unknown>>((name, request) =>
    Promise.resolve(name === 'coap_stacks' ? stacks : { stack: (request as { stack?: string }).stack?.toUpperCase() }),
  );
  const save = vi.fn(() => Promise.resolve(path));
  const applied = new AppliedTimer({ call, save } as unknown as Backend, prefs);
  applied.use(TIMER, { max_retransmit: 3 });
  await vi.waitFor(() => expect(applied.stacks.value).toBeDefined());
  return { applied, call, prefs };
}
const asked = (call: { mock: { calls: unknown[][] } }) => call.mock.calls.map(([name]) => name);

describe('a timer for a device', () => {
  it('begins with a stack that takes it, and with the form that this stack takes', async () => {
    const { applied } = await used([stack('a', false, false), stack('b', false, true)]);
    expect([applied.stack?.id, applied.form]).toEqual(['b', 'program']);
    const both = [stack('a', false, true), stack('b', true, true)];
    const { applied: other } = await used(both);
    expect([other.stack?.id, other.form]).toEqual(['b', 'lines']);
    // A value that this stack would clamp, and another takes: the refusal is what is shown.
    other.choose('a');
    expect(other.form).toBe('lines');
    expect((await used([stack('a', false, false)])).applied.stack?.id).toBe('a');
  });

  it('remembers the stack, also where it does not take the next timer', async () => {
    const stacks = [stack('a', true, false), stack('b', false, false)];
    const { applied, prefs } = await used(stacks);
    applied.choose('b');
    expect(prefs.get('stack')).toBe('b');
    expect((await used(stacks, prefs)).applied.stack?.id).toBe('b');
    expect((await used([stack('c', true, true)], prefs)).applied.stack?.id, 'a stack that is gone').toBe('c');
  });

  it('asks for the form that is shown, under the rules, and not where the stack refuses', async () => {
    const { applied, call } = await used([stack('a', true, true), stack('b', false, true)]);
    applied.want();
    applied.want();
    await vi.waitFor(() => expect(applied.lines.value).toEqual({ stack: 'A' }));
    const request = { algorithm: TIMER, max_retransmit: 3, nstart: null, stack: 'a' };
    expect(call.mock.calls.slice(1)).toEqual([['apply', request]]);
    applied.choose('b');
    applied.show('lines');
    applied.want();
    expect(asked(call)).toEqual(['coap_stacks', 'apply']);
    applied.show('program');
    applied.want();
    expect(call.mock.lastCall).toEqual(['c_program', { ...request, stack: 'b' }]);
  });

  it('writes what is shown, and nothing where the place is not chosen', async () => {
    const { applied, call } = await used([stack('a', true, true)]);
    expect(await applied.save('header', 'cocoa.h')).toBe(true);
    expect(call.mock.lastCall).toEqual([
      'export_applied',
      {
        timer: { algorithm: TIMER, max_retransmit: 3, nstart: null, stack: 'a' },
        file: 'header',
        path: '/x/lines.txt',
      },
    ]);
    const dismissed = await used([stack('a', true, true)], new Prefs(), null);
    expect(await dismissed.applied.save('lines', 'a.txt')).toBe(false);
    expect(asked(dismissed.call)).toEqual(['coap_stacks']);
  });

  it('forgets the answers to an earlier timer', async () => {
    const { applied } = await used([stack('a', true, true)]);
    applied.want();
    await vi.waitFor(() => expect(applied.lines.value).toBeDefined());
    applied.close();
    expect(applied.open).toBe(false);
    applied.use({ id: 'coap', params: {} });
    expect(applied.lines.value).toBeUndefined();
  });
});
