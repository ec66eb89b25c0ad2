import { Channel, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { open, save } from '@tauri-apps/plugin-dialog';
import { decode, type ColumnMap } from './arrow';
import {
  Failure,
  type Backend,
  type CallOptions,
  type CommandName,
  type Progress,
  type Reply,
  type Request,
} from './backend';
import { ARROW } from './gen/commands';

/** Number of the last call, by which it can be cancelled. */
let jobs = 0;

/** Titles and file types of the open dialogs. */
const DIALOGS = {
  /** Usual extensions only: the core recognises formats by content (docs/formats.md). */
  captures: {
    title: 'Open captures',
    name: 'Captures',
    extensions: ['pcap', 'pcapng', 'cap', 'log', 'txt', 'psd', 'snif', 'dcf', 'gz', 'zst'],
  },
  presets: { title: 'Load presets', name: 'Presets', extensions: ['toml', 'json'] },
  nodes: {
    title: 'Open a plan or a list of nodes',
    name: 'Simulations, plans and hosts',
    extensions: ['csc', 'csv', 'txt', 'gz'],
  },
  studies: { title: 'Open a study', name: 'Studies', extensions: ['toml'] },
  sessions: { title: 'Open a session', name: 'Sessions and reports', extensions: ['json', 'html'] },
} as const;

/** The Rust core in the same process: `call` answers with Arrow octets or JSON, `cancel` stops a job. */
export const tauri: Backend = {
  async call<N extends CommandName>(name: N, request: Request<N>, options: CallOptions = {}): Promise<Reply<N>> {
    const job = ++jobs;
    const { signal, onProgress } = options;
    if (signal?.aborted) throw new Failure('cancelled', 'Cancelled');
    const channel = new Channel<Progress>();
    channel.onmessage = (progress) => onProgress?.(progress);
    const cancel = () => void invoke('cancel', { job }).catch(() => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const reply = await invoke<unknown>('call', { job, name, request, onProgress: channel });
      const map = (ARROW as Record<string, ColumnMap>)[name];
      return (map ? decode(reply as ArrayBuffer, map) : reply) as Reply<N>;
    } catch (thrown) {
      throw signal?.aborted ? new Failure('cancelled', 'Cancelled') : Failure.from(thrown);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  },

  openedWith: () => invoke<string[]>('opened_with'),

  async pick(what = 'captures') {
    if (what === 'folder') {
      const title = 'Choose a folder';
      return [(await open({ directory: true, title })) ?? []].flat();
    }
    const { title, name, extensions } = DIALOGS[what];
    const filters = [
      { name, extensions: [...extensions] },
      { name: 'All files', extensions: ['*'] },
    ];
    return [(await open({ multiple: what !== 'sessions' && what !== 'studies', title, filters })) ?? []].flat();
  },

  save: (name) =>
    save({ title: 'Save', defaultPath: name, filters: [{ name, extensions: [name.split('.').at(-1) ?? '*'] }] }),

  wireshark: (capture, frame) => invoke('open_in_wireshark', { capture, frame }),

  watchDrops(listener) {
    const stop = getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (payload.type === 'drop') listener({ kind: 'drop', paths: payload.paths });
      else listener({ kind: payload.type === 'leave' ? 'leave' : 'over' });
    });
    return () => void stop.then((unlisten) => unlisten());
  },
};
