// Proofs of explanations: each kind of proof in rules.json is a function of one difference. It gets the difference, the
// subject (file, tshark's options, notes) and a folder to write in, and returns true where the proof holds. Programs
// that it needs run once per file.
import { align, inShort } from './align.mjs';
import { aligned, zepFrames } from './clocks.mjs';
import { rewrite } from './rewrite.mjs';
import { decode, messages, only } from './theirs.mjs';
import { fields, once, run } from './tools.mjs';

/** Seconds after which reassembly is given up (RFC 4944 §5.3). */
const REASSEMBLY = 60;

/** Values of tshark's `udp.checksum.status`, and the option that makes it check. */
const BAD = '0';
const GOOD = '1';
const CHECKED = ['-o', 'udp.check_checksum:TRUE'];

/** Proves that tshark agrees about this frame when it is given more options. */
function withOptions(difference, subject, folder, { args }) {
  const { ours, theirs } = difference.row;
  const fill = (text) => text.replace('{port}', String(otherPort(ours ?? theirs)));
  const more = args.map(fill);
  const again = once(subject, more.join(' '), () => decode(subject, folder, more).messages);
  return agrees(again, ours, difference.frame);
}

/** Port of the conversation that is not CoAP's. */
const otherPort = ({ src_port, dst_port }) => (src_port === 5683 ? dst_port : src_port);

/** True where `messages` have our message in a frame, in all fields but time, or have none there as we do. */
function agrees(messages, ours, frame) {
  const there = messages.filter((message) => message.frame === frame).map((m) => ({ ...m, time: ours?.time }));
  return align(ours ? [{ ...ours, options: null }] : [], there).differences.length === 0;
}

/** Proves that the message is inside the packet that an ICMP error returns: it was not sent again. */
const quoted = ({ row }) => !row.ours && /:icmp(v6)?:.*:coap/.test(row.theirs.protocols);

/** Proves that both call the message malformed; tshark lists what it could read. */
function malformed({ row, frame }, { program, file }) {
  if (row.ours || !row.theirs.malformed) return false;
  const { out, status } = run(program, ['dissect', '--quiet', '--format', 'json', '--frame', String(frame), file]);
  const nodes = status === 0 ? JSON.parse(out)[0].nodes : [];
  return nodes.some(({ name, finding }) => name === '_ws.malformed' && finding?.startsWith('CoAP'));
}

/** Proves that the message came over a reliable transport: RFC 8323 has no version, type or Message ID. */
const reliable = ({ row }) => !row.ours && row.theirs.reliable;

/** Messages of cut records whose missing octets are filled up with zeros. */
const padded = (subject, folder) =>
  once(subject, 'padded', () => {
    const { path, numbers } = rewrite(subject.path, 'frame.cap_len < frame.len', folder);
    return messages(path, subject.args, numbers).messages;
  });

/** Proves that the record was cut and tshark stops there: tshark agrees once the record is filled up with zeros. */
const cut = ({ row, frame, theirs }, subject, folder) =>
  Boolean(row.ours) && theirs === 0 && agrees(padded(subject, folder), row.ours, frame);

/** Fields that identify a sniffer, and those that identify a datagram on a hop, for both kinds of address. */
const SNIFFER = ['frame.interface_id', 'zep.device_id'];
const LINK = ['wpan.src16', 'wpan.src64', 'wpan.dst16', 'wpan.dst64', '6lowpan.frag.size', '6lowpan.frag.tag'];

/**
 * All fragments by frame number: `{at, link, key, joined, checksum}`. `link` is equal for all fragments of a datagram,
 * `key` also for one sniffer only, `joined` are the frames of the datagram that a frame completed.
 */
const fragments = (subject) =>
  once(subject, 'fragments', () => {
    const names = ['frame.number', 'frame.time_epoch', '6lowpan.fragment', 'udp.checksum.status', ...SNIFFER, ...LINK];
    const { rows } = fields(['-r', subject.path, ...subject.args, ...CHECKED, '-Y', '6lowpan.frag.tag'], names);
    const text = (row, names) => names.map((field) => row[field].join()).join(' ');
    const fragment = (row) => ({
      at: Number(row['frame.time_epoch'][0]),
      link: text(row, LINK),
      key: text(row, [...SNIFFER, ...LINK]),
      joined: row['6lowpan.fragment'].map(Number),
      checksum: row['udp.checksum.status'].at(-1),
    });
    return new Map(rows.map((row) => [Number(row['frame.number'][0]), fragment(row)]));
  });

/**
 * Proves that tshark joined fragments more than 60 s apart. Its message has a bad UDP checksum. Where the message is
 * ours, tshark finds it too, with a good checksum, once it gets only the fragments of that datagram within 60 s.
 */
function stale({ row, frame }, subject, folder) {
  const all = fragments(subject);
  const last = all.get(frame);
  if (!last) return false;
  if (row.theirs && !row.ours) {
    const times = last.joined.map((number) => all.get(number).at);
    return Math.max(...times) - Math.min(...times) > REASSEMBLY && last.checksum === BAD;
  }
  const own = [...all].filter(([, { key, at }]) => key === last.key && Math.abs(at - last.at) <= REASSEMBLY);
  const { part, numbers } = only(subject.path, `frame.number in {${own.map(([number]) => number).join(',')}}`, folder);
  const { messages } = decode({ path: part, args: subject.args }, folder, CHECKED);
  const here = messages.map((message) => ({ ...message, frame: numbers[message.frame - 1] }));
  return agrees(here, row.ours, frame) && here.some((m) => m.frame === frame && m.checksum === GOOD);
}

/** Proves that the sniffer's own time, inside its ZEP packet, is ours to the millisecond and not tshark's. */
function zepTime({ frame, ours, theirs }, subject) {
  const at = zepFrames(subject).get(frame)?.at;
  const near = (seconds) => Math.abs(seconds - at) < 0.001;
  return near(ours) && !near(theirs);
}

/** Seconds to which two records of one transmission agree once their sniffers' clocks are brought to one. */
const ONE_CLOCK = 0.0001;

/** Proves that our time is the sniffer's, brought to the reference clock by the frames that both heard. */
const otherClock = ({ frame, ours }, subject) => Math.abs(ours - aligned(subject, frame)) < ONE_CLOCK;

/**
 * Proves a lost carry. The sniffer rounded the fraction up to a whole second and kept the old second. Another sniffer
 * heard the transmission at our time, and adding the lost second brings this sniffer's record there too.
 */
function lostCarry({ frame, ours }, subject) {
  const frames = zepFrames(subject);
  const own = frames.get(frame);
  const isThen = (at) => Math.abs(ours - at) < ONE_CLOCK;
  const isOther = ([number, { same, sniffer }]) =>
    same === own.same && sniffer !== own.sniffer && isThen(aligned(subject, number));
  return Number.isInteger(own?.at) && isThen(aligned(subject, frame) + 1) && [...frames].some(isOther);
}

/** tshark's messages of the frames `numbers`, given to it in the order of sending on the reference clock. */
const inOrder = (subject, numbers, folder) =>
  once(subject, `in order ${numbers}`, () => {
    const place = (number) => aligned(subject, number);
    const part = rewrite(subject.path, `frame.number in {${numbers}}`, folder, place);
    return messages(part.path, subject.args, part.numbers).messages;
  });

/**
 * Proves that fragments of one datagram were heard by different sniffers. tshark gets all of them in the order of
 * sending. It then has our message in that frame or in another record of the same transmission; or it has its own
 * message, but in none of those records.
 */
function pooled({ row, frame }, subject, folder) {
  const all = fragments(subject);
  const last = all.get(frame);
  const apart = (number) => Math.abs(aligned(subject, number) - aligned(subject, frame));
  if (!last || aligned(subject, frame) === undefined) return false;
  const own = [...all].filter(([number, { link }]) => link === last.link && apart(number) <= REASSEMBLY);
  const found = inOrder(
    subject,
    own.map(([number]) => number),
    folder,
  );
  const same = (number) => zepFrames(subject).get(number).same === zepFrames(subject).get(frame).same;
  const isHere = (message) => same(message.frame) && apart(message.frame) < ONE_CLOCK;
  const here = found.filter(isHere).map((message) => ({ ...message, frame }));
  const elsewhere = () => found.some((message) => inShort(message) === inShort(row.theirs));
  return agrees(here, row.ours, frame) && (Boolean(row.ours) || elsewhere());
}

/** Number and length of each option of a message, from descriptions such as "Type 17, Critical, Safe". */
const lengths = (message) => {
  const all = message['coap.opt.length'].split(';');
  return message['coap.opt.desc'].split(';').map((text, i) => [Number(text.match(/\d+/)[0]), Number(all[i])]);
};

/** Number of Accept. An integer of no octets is 0 (RFC 7252 §3.2); tshark has no name for such an Accept. */
const ACCEPT = 17;
const emptyAccept = ({ row, theirs }) =>
  theirs === '(null)' && lengths(row.theirs).some(([number, length]) => number === ACCEPT && length === 0);

/** Number of Size2, an integer (RFC 7959 §4). tshark dissects its value as a block option's. */
const SIZE2 = 28;
const sizeAsBlock = ({ row, ours, theirs }) =>
  lengths(row.theirs).some(([number]) => number === SIZE2) && theirs.split(';').slice(0, -1).join(';') === ours;

/** Proves that tshark does not know the option: its octets are a value that our tree has under a name. */
const named = ({ row, ours, theirs }) =>
  ours === '' && theirs.split(';').every((value) => row.ours.options.includes(value));

/** Proves that the integer has more than four octets: tshark shows 2^32 - 1, we show the value, both flag it. */
const tooLong = ({ ours, theirs }) => theirs === '4294967295' && BigInt(ours) > 4294967295n;

/** Proves that Wireshark stops at the damage that we note, and had read no more than we did. */
function damaged({ ours, theirs }, subject) {
  const { err } = run('capinfos', ['-c', subject.path]);
  const read = theirs ?? Number(err.match(/after reading (\d+) packets/)?.[1] ?? 0);
  return (
    /appears to be (damaged|cut short)/.test(err) && read < ours && subject.notes.some((note) => note.layer === 'file')
  );
}

/** Kinds of proof in rules.json. */
export const PROOFS = {
  withOptions,
  quoted,
  malformed,
  reliable,
  cut,
  stale,
  pooled,
  zepTime,
  otherClock,
  lostCarry,
  emptyAccept,
  sizeAsBlock,
  named,
  tooLong,
  damaged,
};

/** Returns the first rule whose conditions and proof hold for a difference, or null. */
export function explain(difference, subject, rules, folder) {
  const side = difference.field !== 'message' ? 'field' : difference.row.ours ? 'ours' : 'tshark';
  const fits = (rule) =>
    (rule.sha256 === undefined || rule.sha256 === subject.sha256) &&
    (rule.frames === undefined || (rule.frames[0] <= difference.frame && difference.frame <= rule.frames[1])) &&
    rule.sides.includes(side) &&
    (rule.fields === undefined || rule.fields.includes(difference.field)) &&
    PROOFS[rule.proof.kind](difference, subject, folder, rule.proof);
  return rules.find(fits) ?? null;
}
