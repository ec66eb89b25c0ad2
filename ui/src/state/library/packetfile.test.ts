import { describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
import { Announcer } from '../window/announcer.svelte';
import { fileName, openInWireshark, savePackets } from './packetfile';

const LIST = { capture: 0, rows: 'frames' as const, filter: 'needless', window: null };
const DONE = { path: '/x/a.pcapng', recorded: 12, left_out: 3, copies: 1, replies: 2, simulated: 0, notes: [] };

function app(path: string | null, call: () => Promise<unknown>) {
  const called = vi.fn(call);
  const save = vi.fn(() => Promise.resolve(path));
  return { backend: { save, call: called } as unknown as Backend, announcer: new Announcer(), called, save };
}

describe('fileName', () => {
  it('is a name that every system takes', () => {
    expect(fileName('chain6, RC.pcap.gz', 'CoCoA+')).toBe('chain6-RC-CoCoA+.pcapng');
    expect(fileName('../a:b\\c|d?.pcapng')).toBe('a-b-c-d.pcapng');
    expect(fileName('Ünï 6')).toBe('Ünï-6.pcapng');
    expect(fileName('', '//')).toBe('packets.pcapng');
  });
});

describe('savePackets', () => {
  it('writes the shown list and reports its number of frames', async () => {
    const it = app('/x/a.pcapng', () => Promise.resolve(DONE));
    expect(await savePackets(it, { list: LIST }, 'a.pcapng')).toBe(true);
    expect(it.save).toHaveBeenCalledWith('a.pcapng');
    expect(it.called).toHaveBeenCalledWith('export_packets', { list: LIST, path: '/x/a.pcapng' });
    expect(it.announcer.toasts.map(({ text, kind }) => [text.replaceAll('\u00a0', ' '), kind])).toEqual([
      ['12 frames saved', 'done'],
    ]);
  });

  it('writes a run and says what is made and what is left out', async () => {
    const it = app('/x/a.pcapng', () => Promise.resolve(DONE));
    expect(await savePackets(it, { run: 4 }, 'a.pcapng')).toBe(true);
    expect(it.called).toHaveBeenCalledWith('export_run', { run: 4, path: '/x/a.pcapng' });
    expect(it.announcer.toasts[0]?.text.replaceAll('\u00a0', ' ')).toBe(
      '12 frames as recorded, 1 copy and 2 replies of this timer saved; 3 frames left out',
    );
  });

  it('writes the frames of a simulation and says which are left out', async () => {
    const notes = ['3 frames from a to b left out, the first 1.200 s after the start: why', 'another'];
    const it = app('/x/a.pcapng', () => Promise.resolve({ ...DONE, recorded: 0, simulated: 40, notes }));
    expect(await savePackets(it, { run: 4, kind: 'frames' }, 'a.pcapng')).toBe(true);
    expect(it.called).toHaveBeenCalledWith('export_run', { run: 4, kind: 'frames', path: '/x/a.pcapng' });
    expect(it.announcer.toasts[0]?.text.replaceAll('\u00a0', ' ')).toBe(
      `40 simulated frames of 1 copy and 2 replies and of other traffic saved; 3 frames left out: ${notes[0]}; the others are named in the file`,
    );
  });

  it('does nothing when the dialog is dismissed, and reports why a file was not written', async () => {
    const dismissed = app(null, () => Promise.resolve(DONE));
    expect(await savePackets(dismissed, { run: 1 }, 'a.pcapng')).toBe(false);
    expect([dismissed.called.mock.calls, dismissed.announcer.toasts]).toEqual([[], []]);
    const refused = app('/x', () => Promise.reject(new Failure('request', '/x is the capture itself')));
    expect(await savePackets(refused, { run: 1 }, 'a.pcapng')).toBe(false);
    expect(refused.announcer.toasts[0]).toMatchObject({ text: '/x is the capture itself', kind: 'error' });
  });
});

describe('openInWireshark', () => {
  const at = (reply: () => Promise<unknown>) => ({
    backend: { wireshark: reply } as unknown as Backend,
    announcer: new Announcer(),
  });
  const copied: string[] = [];
  const copy = (text: string) => Promise.resolve(copied.push(text) > 0);

  it('says that it opens, that there is no Wireshark, or why there is no file', async () => {
    const there = at(() => Promise.resolve({ started: true, command: 'wireshark -r a' }));
    await openInWireshark(there, 0, 6, copy);
    expect([there.announcer.toasts[0]?.text, copied]).toEqual(['Wireshark opens at frame 7', []]);
    const missing = at(() => Promise.resolve({ started: false, command: 'wireshark -r a' }));
    await openInWireshark(missing, 0, 6, copy);
    expect(missing.announcer.toasts[0]?.text).toMatch(/^Wireshark was not found .* Save as… .* clipboard\.$/);
    expect(copied).toEqual(['wireshark -r a']);
    const full = at(() => Promise.reject(new Failure('request', 'Cannot write a file for Wireshark: disk full.')));
    await openInWireshark(full, 0, 6, copy);
    expect(full.announcer.toasts[0]).toMatchObject({ text: 'Cannot write a file for Wireshark: disk full.' });
  });
});
