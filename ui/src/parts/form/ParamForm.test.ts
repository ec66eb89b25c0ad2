import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ParamSpec } from '../../ipc/gen/types';
import { toNumber } from '../../state/replay/algorithms.svelte';
import { complaint, fromShare, groups, toShare, toText } from './param';
import ParamForm from './ParamForm.svelte';

const spec = (change: Partial<ParamSpec>): ParamSpec => ({
  name: 'k',
  label: 'K strong',
  group: '',
  doc: 'Weight of the variance.',
  unit: 'factor',
  default: 4,
  min: 0,
  max: 16,
  scale: 'linear',
  choices: [],
  citation: 'eq 1',
  reading: false,
  ...change,
});
const seconds = spec({
  name: 'rto',
  label: 'Initial timeout',
  unit: 'seconds',
  default: 2,
  min: 0.001,
  max: 600,
  scale: 'log',
});
const ratio = spec({ name: 'a', label: 'α', unit: 'ratio', default: '1/8', min: 0, max: 1, reading: true });
const choice = spec({
  name: 'ageing',
  label: 'Ageing',
  unit: 'choice',
  default: 'both',
  min: null,
  max: null,
  choices: [
    { name: 'none', label: 'none' },
    { name: 'both', label: 'growing and shrinking' },
  ],
});

describe('values', () => {
  it('says choices by the names that the core gives them', () => {
    expect([toText(choice, 'both'), toText(choice, 'elsewhere')]).toEqual(['growing and shrinking', 'elsewhere']);
  });
  it('reads fractions, commas and signs', () => {
    expect([toNumber('1/8'), toNumber(' 3 / 4 '), toNumber('0,5'), toNumber('−1')]).toEqual([0.125, 0.75, 0.5, -1]);
    expect(toNumber('x')).toBeNaN();
  });
  it('stays inside the range and comes back to the default', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(spec({}), seconds, ratio),
        (share, of) => {
          const value = fromShare(of, share);
          expect(complaint(of, String(value))).toBeNull();
          expect(Math.abs(toShare(of, value) - share)).toBeLessThan(0.06);
        },
      ),
    );
    expect(fromShare(seconds, toShare(seconds, 2) + 0.005)).toBe(2);
  });
  it('says what would be legal', () => {
    expect(complaint(spec({}), '17')).toBe('0 to 16');
    expect(complaint(spec({ unit: 'count' }), '2.5')).toBe('a whole number');
    expect(complaint(spec({}), 'many')).toMatch(/fraction/);
  });
  it('writes values as their field does', () => {
    expect([toText(spec({}), 3), toText(seconds, 2), toText(ratio, '1/8'), toText(ratio, 0.5)]).toEqual([
      '3.0',
      '2.00',
      '1/8',
      '0.50',
    ]);
  });
  it('groups by what they are', () => {
    expect(groups([seconds, choice, spec({})]).map((group) => group.title)).toEqual([
      'Weights and factors',
      'Timers',
      'Variant of the procedure',
    ]);
  });
});

describe('the form', () => {
  function setup(values: Record<string, number | string | boolean> = {}) {
    const onset = vi.fn();
    const onreset = vi.fn();
    render(ParamForm, { params: [spec({}), seconds, ratio, choice], values, onset, onreset });
    return { onset, onreset, user: userEvent.setup() };
  }

  it('shows label, value, citation and reading for each parameter', () => {
    setup();
    expect(screen.getByLabelText('K strong')).toHaveValue('4.0');
    expect(screen.getByText('reading: eq 1')).toHaveClass('reading');
    expect(screen.getByLabelText('Ageing')).toHaveValue('both');
  });
  it('applies legal numbers and fractions as they are typed', async () => {
    const { onset, user } = setup();
    await user.clear(screen.getByLabelText('α'));
    await user.type(screen.getByLabelText('α'), '3/16');
    expect(onset).toHaveBeenLastCalledWith('a', '3/16');
  });
  it('refuses what is out of range, in place', async () => {
    const { onset, user } = setup();
    await user.clear(screen.getByLabelText('K strong'));
    await user.type(screen.getByLabelText('K strong'), '99');
    expect(screen.getByRole('alert')).toHaveTextContent('0 to 16');
    expect(onset).not.toHaveBeenCalledWith('k', 99);
  });
  it('shows what is found where nothing is given, and goes back to it when the field is emptied', async () => {
    const onset = vi.fn();
    const onreset = vi.fn();
    const params = [{ ...seconds, blank: '0.083' }];
    const { rerender } = render(ParamForm, { params, values: {}, onset, onreset });
    const user = userEvent.setup();
    const field = screen.getByLabelText('Initial timeout');
    expect(field).toHaveValue('');
    expect(field).toHaveAttribute('placeholder', '0.083');
    await user.type(field, '0.5');
    expect(onset).toHaveBeenLastCalledWith('rto', 0.5);
    await rerender({ params, values: { rto: 0.5 }, onset, onreset });
    await user.clear(field);
    expect(onreset).toHaveBeenCalledWith('rto');
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('steps with the arrows and resets', async () => {
    const { onset, onreset, user } = setup({ k: 3 });
    screen.getByLabelText('K strong').focus();
    await user.keyboard('{ArrowUp}');
    expect(onset.mock.lastCall?.[1]).toBeGreaterThan(3);
    await user.click(screen.getByRole('button', { name: 'Reset K strong to 4.0' }));
    expect(onreset).toHaveBeenCalledWith('k');
  });
});
