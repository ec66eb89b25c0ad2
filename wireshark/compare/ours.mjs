// RTOscope's reading of a capture.
import { OPTIONS } from './align.mjs';
import { Stop } from '../../scripts/run.mjs';
import { run } from './tools.mjs';

/** Matches a 6LoWPAN context in our note `context 0 is taken to be fd00::/64, …`; tshark cannot learn it itself. */
const CONTEXT = /context (\d+) is taken to be ([0-9a-f:]+\/\d+)/g;

/**
 * Reads a capture: `{messages, frames, format, notes, refused, seconds}`. `refused`: reason, only where it is not read.
 */
export function decode(binary, file) {
  const sightings = run(binary, ['messages', '--sightings', '--format', 'json', file]);
  const info = run(binary, ['info', '--format', 'json', file]);
  if (sightings.status !== 0 || info.status !== 0) {
    const refused = (sightings.err || info.err).replace(/^rtoscope: /, '').split('\n')[0];
    return { refused, messages: [], notes: [], seconds: sightings.seconds };
  }
  const { frames, format, notes } = JSON.parse(info.out);
  return { messages: JSON.parse(sightings.out), frames, format, notes, seconds: sightings.seconds };
}

/** Frames of one capture whose options are compared, at most, evenly spread: a dissected frame is 20 kB of JSON. */
const MOST_DISSECTED = 1000;

/** Formats a value as `tshark -T fields` does: texts without quotes, octets without colons. */
const plain = (value) =>
  value.startsWith('"') ? JSON.parse(value) : value.replaceAll(/\b([0-9a-f]{2}):(?=[0-9a-f]{2}\b)/g, '$1');

/** Numbers of frames that complete exactly one message. Frames of tunnels may complete two. */
export function alone(messages) {
  const count = new Map();
  for (const { frame } of messages) count.set(frame, (count.get(frame) ?? 0) + 1);
  return [...count].filter(([, messages]) => messages === 1).map(([frame]) => frame);
}

/**
 * Adds options, all values and each by name, to messages of `frames`, from `dissect`; returns the number of frames
 * read.
 */
export function addOptions(binary, file, messages, frames) {
  const step = Math.max(1, frames.length / MOST_DISSECTED);
  const some = frames.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  if (some.length === 0) return 0;
  const { out, err, status } = run(binary, ['dissect', '--quiet', '--format', 'json', '--frame', some.join(','), file]);
  if (status !== 0) throw new Stop(`${file} cannot be dissected: ${err}`);
  const of = new Map(JSON.parse(out).map((tree, i) => [some[i], tree.nodes]));
  for (const message of messages) {
    const nodes = of.get(message.frame);
    if (!nodes) continue;
    const values = (wanted) => nodes.filter(({ name }) => wanted(name)).map(({ value }) => plain(value ?? ''));
    message.options = values((name) => name.startsWith('coap.opt.'));
    for (const option of OPTIONS) message[option] = values((name) => name === option).join(';');
  }
  return some.length;
}

/** Options that give tshark the contexts named in the notes. */
export const contexts = (notes) =>
  notes
    .flatMap((note) => [...note.first_text.matchAll(CONTEXT)])
    .flatMap(([, id, prefix]) => ['-o', `6lowpan.context${id}:${prefix}`]);

/** Ports of CoAP (RFC 7252 §12.6), and of CoAP over DTLS (§12.7). */
const WELL_KNOWN = new Set([5683, 5684]);

/**
 * Options that give tshark the odd ports on which we found CoAP. Of a pair of ports, the more frequent one is the
 * server's.
 */
export function decodeAs(messages) {
  const odd = messages.filter((m) => !WELL_KNOWN.has(m.src_port) && !WELL_KNOWN.has(m.dst_port));
  const uses = new Map();
  for (const { src_port, dst_port } of odd)
    for (const port of [src_port, dst_port]) uses.set(port, (uses.get(port) ?? 0) + 1);
  const server = ({ src_port, dst_port }) => (uses.get(src_port) > uses.get(dst_port) ? src_port : dst_port);
  return [...new Set(odd.map(server))].sort((a, b) => a - b).flatMap((port) => ['-d', `udp.port==${port},coap`]);
}
