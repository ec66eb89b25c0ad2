import type { Backend } from '../../ipc/backend';
import { Failure } from '../../ipc/backend';
import type { Exported, ExportPacketTableRequest, FrameList, RunFileKind } from '../../ipc/gen/types';
import { plural } from '../../format';
import type { Announcer } from '../window/announcer.svelte';

/**
 * Content of a pcapng file: the frames of a list, the packets that a run would have sent, or all frames of its
 * simulation.
 */
export type Packets = { list: FrameList } | { run: number; kind?: RunFileKind };

/** A file name made from names for people: `chain6, RC.pcap.gz` and `cocoa_plus` give `chain6-RC-cocoa_plus.pcapng`. */
export function fileName(...parts: string[]): string {
  return `${stemOf(parts)}.pcapng`;
}

/** A file name without an extension, made from names for people. */
function stemOf(parts: readonly string[]): string {
  const stem = parts
    .map((part) => part.replace(/(\.(pcapng|pcap|cap|log|txt|gz|zst))+$/i, '').replace(/[^\p{L}\p{N}_+.]+/gu, '-'))
    .map((part) => part.replace(/^[-.]+|[-.]+$/g, ''))
    .filter(Boolean)
    .join('-');
  return stem || 'packets';
}

/** Content of a written file in words. */
function message(done: Exported, what: Packets): string {
  const { recorded, left_out, copies, replies, simulated, notes } = done;
  const frames = plural(recorded, 'frame');
  if (!('run' in what)) return `${frames} saved`;
  const messages = `${plural(copies, 'copy', 'copies')} and ${plural(replies, 'reply', 'replies')}`;
  if (what.kind === 'frames') {
    const why =
      notes[0] === undefined ? '' : `: ${notes[0]}${notes.length > 1 ? '; the others are named in the file' : ''}`;
    return `${plural(simulated, 'simulated frame')} of ${messages} and of other traffic saved; ${plural(left_out, 'frame')} left out${why}`;
  }
  return `${frames} as recorded, ${messages} of this timer saved; ${plural(left_out, 'frame')} left out`;
}

/**
 * Asks for a place, writes the file there and reports its content in a message. False where it was dismissed or failed.
 */
export async function savePackets(
  { backend, announcer }: { backend: Backend; announcer: Announcer },
  what: Packets,
  name: string,
): Promise<boolean> {
  try {
    const path = await backend.save(name);
    if (path === null) return false;
    const done =
      'run' in what
        ? await backend.call('export_run', { ...what, path })
        : await backend.call('export_packets', { ...what, path });
    announcer.toast(message(done, what), 'done');
    return true;
  } catch (thrown) {
    const failure = Failure.from(thrown);
    if (!failure.cancelled) announcer.toast(failure.message, 'error');
    return false;
  }
}

/**
 * Asks for a place, and writes the rows of a list there as CSV, with columns, names of nodes and rules of colour as
 * they are shown. False where it was dismissed or failed; failures become messages.
 */
export async function savePacketTable(
  { backend, announcer }: { backend: Backend; announcer: Announcer },
  table: Omit<ExportPacketTableRequest, 'path'>,
  title: string,
): Promise<boolean> {
  try {
    const path = await backend.save(`${stemOf([title])}.csv`);
    if (path === null) return false;
    const { recorded } = await backend.call('export_packet_table', { ...table, path });
    announcer.toast(`${plural(recorded, 'row')} saved`, 'done');
    return true;
  } catch (thrown) {
    const failure = Failure.from(thrown);
    if (!failure.cancelled) announcer.toast(failure.message, 'error');
    return false;
  }
}

/**
 * Opens Wireshark at a frame (from 0). Where it is missing, copies the command by `copy` and says what to do. Failures
 * become messages.
 */
export async function openInWireshark(
  { backend, announcer }: { backend: Backend; announcer: Announcer },
  capture: number,
  frame: number,
  copy: (text: string) => Promise<boolean>,
): Promise<void> {
  try {
    const { started, command } = await backend.wireshark(capture, frame);
    if (started) {
      announcer.toast(`Wireshark opens at frame ${frame + 1}`);
      return;
    }
    const copied = (await copy(command)) ? ' The command is in the clipboard.' : '';
    announcer.toast(
      `Wireshark was not found on this machine. Save as… writes these packets for one elsewhere.${copied}`,
      'error',
    );
  } catch (thrown) {
    announcer.toast(Failure.from(thrown).message, 'error');
  }
}
