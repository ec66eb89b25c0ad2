import { render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../state/capture/capture.svelte';
import Within from '../../test/unit/Within.svelte';
import NoExchanges from './NoExchanges.svelte';

const holding = (frames: number, messages: number) =>
  ({ id: 0, view: { frames, messages, notes: [] } }) as unknown as Capture;

describe('a capture without an exchange', () => {
  const show = (frames: number, messages: number) =>
    render(Within, {
      props: { of: NoExchanges as Component<Record<string, unknown>>, props: { capture: holding(frames, messages) } },
    });

  it.each([
    [0, 0, /holds no frames/, false],
    [40, 0, /None of the 40.frames carries CoAP/, true],
    [40, 7, /7.CoAP messages are non-confirmable/, true],
  ])('of %i frames and %i messages says why, and what one can do', (frames, messages, why, packets) => {
    const { unmount } = show(frames, messages);
    expect(screen.getByText(why)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Decode as…' }) !== null).toBe(packets);
    expect(screen.getByRole('button', { name: 'Import summary' })).toBeInTheDocument();
    unmount();
  });
});
