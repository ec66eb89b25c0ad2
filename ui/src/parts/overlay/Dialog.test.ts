import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Dialog from './Dialog.svelte';

// jsdom has no modal dialogs. As in HTML §4.11.4: closing takes the dialog away at once and queues a task that fires
// `close`; here that task runs when the test says so, so that its order is the test's and no machine's.
let queued: (() => void)[] = [];
const late = () => {
  for (const task of queued.splice(0)) task();
};

beforeEach(() => {
  queued = [];
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.setAttribute('open', '');
    },
    close(this: HTMLDialogElement) {
      if (!this.hasAttribute('open')) return;
      this.removeAttribute('open');
      queued.push(() => this.dispatchEvent(new Event('close')));
    },
  });
});
afterEach(() => {
  for (const name of ['showModal', 'close']) Reflect.deleteProperty(HTMLDialogElement.prototype, name);
});

const children = createRawSnippet(() => ({ render: () => '<p>Inside</p>' }));

async function dialog() {
  const onclose = vi.fn<() => void>();
  const props = { label: 'Commands', open: true, onclose, children };
  const view = render(Dialog, props);
  const element = screen.getByRole<HTMLDialogElement>('dialog', { hidden: true });
  await vi.waitFor(() => expect(element.open).toBe(true));
  const show = async (open: boolean) => {
    await view.rerender({ ...props, open });
    expect(element.open).toBe(open);
  };
  return { element, onclose, show };
}

describe('a dialog', () => {
  it('that closes late does not close what was opened meanwhile', async () => {
    const { element, onclose, show } = await dialog();
    await show(false);
    await show(true);
    expect(queued).toHaveLength(1);
    late();
    expect(onclose).not.toHaveBeenCalled();
    expect(element.open).toBe(true);
  });

  it('that its owner closed does not ask to be closed', async () => {
    const { onclose, show } = await dialog();
    await show(false);
    late();
    expect(onclose).not.toHaveBeenCalled();
  });

  it('asks its owner at once when Escape is pressed, and stays until the owner says so', async () => {
    const { element, onclose, show } = await dialog();
    const cancel = new Event('cancel', { cancelable: true });
    element.dispatchEvent(cancel);
    expect(onclose).toHaveBeenCalledTimes(1);
    expect([cancel.defaultPrevented, element.open]).toEqual([true, true]);
    await show(false);
    late();
    expect(onclose).toHaveBeenCalledTimes(1);
  });

  it('tells its owner when something else closed it', async () => {
    const { element, onclose } = await dialog();
    element.close();
    late();
    expect(onclose).toHaveBeenCalledTimes(1);
  });

  it('leaves the Escape of what is inside it alone', async () => {
    const { element, onclose } = await dialog();
    element.querySelector('p')?.dispatchEvent(new Event('cancel', { bubbles: true, cancelable: true }));
    expect(onclose).not.toHaveBeenCalled();
  });
});
