import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc/backend';
import type { ColourRule } from '../../ipc/gen/types';
import { Prefs } from '../window/prefs.svelte';
import { COLOURS, NARROWEST, PacketLook, WIDEST } from './packetlook.svelte';

const RULES: readonly ColourRule[] = [
  { name: 'Needless copy', filter: 'needless', colour: 'orange', on: true },
  { name: 'Reply', filter: 'reply', colour: 'green', on: true },
];

function look(mistakes: Record<string, string> = {}) {
  const call = vi.fn((_: string, { filter }: { filter: string }) =>
    filter === 'gone'
      ? Promise.reject(new Error('The core is gone.'))
      : Promise.resolve(mistakes[filter] === undefined ? null : { column: 1, message: mistakes[filter] }),
  );
  const made = new PacketLook({ call } as unknown as Backend, new Prefs());
  made.start(RULES);
  return { look: made, call };
}
const settled = () => new Promise((done) => setTimeout(done));

describe('columns of packets', () => {
  it('are those of a new window until they are changed, and again when they are put back', () => {
    const { look: of } = look();
    const first = of.columns.map(({ name }) => name);
    expect([of.usual, of.fields]).toEqual([true, []]);
    of.add('coap.mid');
    of.add('coap.mid');
    expect(of.columns.map(({ name }) => name)).toEqual([...first.slice(0, -1), 'coap.mid', 'info']);
    expect([of.usual, of.fields]).toEqual([false, ['coap.mid']]);
    of.resetColumns();
    expect(of.columns.map(({ name }) => name)).toEqual(first);
  });
  it('move no further than the ends, and the last one stays', () => {
    const { look: of } = look();
    of.move('info', -99);
    expect(of.columns[0]?.name).toBe('info');
    of.move('info', 1);
    expect(of.columns[1]?.name).toBe('info');
    of.move('nothing', 1);
    for (const { name } of of.columns) of.remove(name);
    expect(of.columns).toHaveLength(1);
  });
  it('have a width within bounds, or that of their kind', () => {
    const { look: of } = look();
    const width = () => of.columns.find(({ name }) => name === 'src')?.width;
    for (const [asked, got] of [
      [200.4, 200],
      [-5, NARROWEST],
      [1e9, WIDEST],
      [null, null],
    ] as const) {
      of.widen('src', asked);
      expect(width()).toBe(got);
    }
  });
});

describe('rules of colour', () => {
  it('of a new window are in force without a question, and none is while colours are off', () => {
    const { look: of, call } = look();
    of.check();
    expect(call).not.toHaveBeenCalled();
    expect(of.inForce).toEqual(RULES);
    of.colour(false);
    expect(of.inForce).toEqual([]);
  });
  it('are in force once the core has read them, each asked once; a mistake is said', async () => {
    const { look: of, call } = look({ 'coap.midd': 'column 1: unknown field `coap.midd`' });
    of.addRule('coap');
    of.addRule('coap.midd');
    of.check();
    of.check();
    expect(of.inForce.map(({ filter }) => filter)).toEqual(['needless', 'reply']);
    await settled();
    expect(call).toHaveBeenCalledTimes(2);
    expect(of.inForce.map(({ filter }) => filter)).toEqual(['coap', 'needless', 'reply']);
    expect([of.wrong, of.mistake(of.rules[0]!)]).toEqual([1, 'column 1: unknown field `coap.midd`']);
    of.change(0, { on: false });
    expect(of.wrong).toBe(0);
    of.change(0, { filter: 'gone', on: true });
    of.check();
    await settled();
    expect(of.mistake(of.rules[0]!)).toBe('The core is gone.');
  });
  it('take a free colour, change places, and are put back', () => {
    const { look: of } = look();
    of.addRule();
    expect(of.rules[0]?.colour).toBe(COLOURS.find((colour) => !RULES.some((rule) => rule.colour === colour)));
    of.moveRule(0, 1);
    expect(of.rules.map(({ name }) => name)).toEqual(['Needless copy', '', 'Reply']);
    of.moveRule(0, -1);
    of.removeRule(1);
    expect(of.rules).toEqual(RULES);
    expect(of.usualRules).toBe(false);
    of.resetRules();
    expect(of.usualRules).toBe(true);
  });
});
