import { flushSync } from 'svelte';
import { describe, expect, it } from 'vitest';
import { RULES_SAID } from '../../ipc/gen/labels';
import { Rules, ruleForm, ruleValues, ruleWords } from './rules.svelte';
import { settingsWords } from './settings';

describe('rules', () => {
  it('are not in a request while none is given, and times are nanoseconds there', () => {
    const rules = new Rules();
    expect(rules.policy).toEqual({});
    rules.set('service', 0.25);
    rules.set('room', 4);
    rules.set('repeats', 'yes');
    flushSync();
    expect(rules.policy).toEqual({ policy: { service: 250e6, room: 4, repeats: true } });
    expect(ruleValues(rules.given)).toEqual({ service: 0.25, room: 4, repeats: 'yes' });
    expect(ruleWords(rules.given)).toBe('Repeats, Service time 0.25 s, Room 4');
    rules.set('service', '1/8');
    expect(rules.given.service).toBe(125e6);
    rules.set('service', 0.25);
    rules.set('repeats', 'no');
    rules.reset('room');
    expect(rules.given).toEqual({ service: 250e6 });
    rules.reset();
    expect(rules.many).toBe(0);
  });

  it('are said as the core says them', () => {
    expect(RULES_SAID.length).toBeGreaterThan(13);
    for (const [given, said] of RULES_SAID) expect(ruleWords(given)).toBe(said);
  });

  it('go with their default, unless that is what a capture shows', () => {
    const rules = new Rules();
    rules.set('max_retransmit', 2);
    rules.set('max_retransmit', 4);
    expect(rules.given).toEqual({});
    // One at once may be asked of a capture that shows four.
    rules.set('nstart', 1);
    expect(rules.given).toEqual({ nstart: 1 });
  });

  it('of a bottleneck are there on its channel, at what was found', () => {
    const named = (form: ReturnType<typeof ruleForm>) => form.map(({ name }) => name);
    expect(named(ruleForm(false, undefined))).not.toContain('room');
    const form = ruleForm(true, { service: { value: 0.08333, error: 0.0004 }, room: null });
    const of = (name: string) => form.find((rule) => rule.name === name);
    expect(of('service')).toMatchObject({ default: 0.0833, blank: '0.083', citation: 'found: 83.3 ± 0.4 ms' });
    expect(of('room')).toMatchObject({ blank: '∞' });
    expect(of('room')?.citation).not.toMatch(/\d/);
  });

  it('are said with the other settings', () => {
    const settings = { channel: 'loaded_gilbert_elliott', workload: 'think_time', seed: 7, replicates: 1 } as const;
    expect(settingsWords(settings)).toBe(
      '1\u00a0replicate, seed 7, channel Gilbert–Elliott under load, workload think time',
    );
    expect(settingsWords({ ...settings, policy: { nstart: 4 } })).toMatch(/, rules: NSTART 4$/);
  });
});
