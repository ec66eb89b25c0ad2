// What RTOscope makes of a capture.
import { run } from './tools.mjs';

/** `6LoWPAN context 0 is taken to be fd00::/64, …`: what our tool learned, tshark must be told. */
const CONTEXT = /context (\d+) is taken to be ([0-9a-f:]+\/\d+)/g;

/** `{messages, frames, format, notes, refused, seconds}`; `refused` is the sentence for a file that is not read. */
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

/** tshark's options for the contexts that the notes name. */
export const contexts = (notes) =>
  notes
    .flatMap((note) => [...note.first_text.matchAll(CONTEXT)])
    .flatMap(([, id, prefix]) => ['-o', `6lowpan.context${id}:${prefix}`]);

/** The port of CoAP (RFC 7252 §12.6), with DTLS (§12.7). */
const WELL_KNOWN = new Set([5683, 5684]);

/** tshark's options for the ports on which our tool found CoAP without being told: of two, the one that talks to more. */
export function decodeAs(messages) {
  const odd = messages.filter((m) => !WELL_KNOWN.has(m.src_port) && !WELL_KNOWN.has(m.dst_port));
  const uses = new Map();
  for (const { src_port, dst_port } of odd)
    for (const port of [src_port, dst_port]) uses.set(port, (uses.get(port) ?? 0) + 1);
  const server = ({ src_port, dst_port }) => (uses.get(src_port) > uses.get(dst_port) ? src_port : dst_port);
  return [...new Set(odd.map(server))].sort((a, b) => a - b).flatMap((port) => ['-d', `udp.port==${port},coap`]);
}
