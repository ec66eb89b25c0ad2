// Compares two readings of one capture, message by message.

/** Fields that both readings give of a message in one frame: `time` in seconds, `payload_len` in octets. */
export const FIELDS = ['type', 'code', 'mid', 'token', 'src', 'src_port', 'dst', 'dst_port', 'payload_len', 'time'];

/** Fields of a message's options, under the names that both programs have for them. One value is all occurrences. */
export const OPTIONS = [
  'coap.opt.desc',
  'coap.opt.length',
  'coap.opt.length_ext',
  'coap.opt.delta_ext',
  'coap.opt.uri_host',
  'coap.opt.uri_port',
  'coap.opt.uri_path',
  'coap.opt.uri_query',
  'coap.opt.location_path',
  'coap.opt.location_query',
  'coap.opt.proxy_uri',
  'coap.opt.ctype',
  'coap.opt.accept',
  'coap.opt.max_age',
  'coap.opt.etag',
  'coap.opt.if_match',
  'coap.opt.observe',
  'coap.opt.block_number',
  'coap.opt.block_mflag',
  'coap.opt.block_size',
  'coap.opt.size1',
  'coap.opt.unknown',
];

/** Tolerance of times, in seconds: both sides print decimal seconds, ours to the microsecond. */
const TIME_STEP = 1.5e-6;

/** Comparisons of fields that are not compared as text. */
const same = {
  time: (ours, theirs) => Math.abs(ours - theirs) <= TIME_STEP,
};

/** Brings values that no registry names to one spelling; tshark marks an empty value. */
const spelt = (value) =>
  String(value)
    .replaceAll(/Unknown Type (\d+)/g, 'content-format $1')
    .replaceAll('<MISSING>', '');

const equal = (field, ours, theirs) => (same[field] ?? ((a, b) => spelt(a) === spelt(b)))(ours, theirs);

/** One line that identifies a message. */
export const inShort = (m) =>
  `${m.type} ${m.code} MID ${m.mid} token ${m.token || 'none'} ${m.src}:${m.src_port} > ${m.dst}:${m.dst_port}`;

/** Messages by frame number, in their order. */
const byFrame = (messages) => {
  const frames = new Map();
  for (const message of messages) {
    if (!frames.has(message.frame)) frames.set(message.frame, []);
    frames.get(message.frame).push(message);
  }
  return frames;
};

/** Pairs the messages of one frame: equal Message IDs first, then in order. */
function pair(ours, theirs) {
  const left = [...theirs];
  const pairs = [];
  const unpaired = [];
  for (const message of ours) {
    const at = left.findIndex((other) => other.mid === message.mid && other.type === message.type);
    if (at < 0) unpaired.push(message);
    else pairs.push([message, left.splice(at, 1)[0]]);
  }
  for (const message of unpaired) pairs.push([message, left.shift()]);
  return [...pairs, ...left.map((message) => [undefined, message])];
}

/**
 * Compares two lists of messages: `{compared, equal, differences}`, numbers of field values compared and found equal,
 * and each difference as `{frame, field, ours, theirs, row: {ours, theirs}}`. A message that only one side has is a
 * difference of the field `message` and counts once.
 */
export function align(ours, theirs) {
  const [mine, other] = [byFrame(ours), byFrame(theirs)];
  const result = { compared: 0, equal: 0, differences: [] };
  const numbers = [...new Set([...mine.keys(), ...other.keys()])].sort((a, b) => a - b);
  for (const frame of numbers) {
    for (const [a, b] of pair(mine.get(frame) ?? [], other.get(frame) ?? [])) {
      const row = { ours: a, theirs: b };
      if (!a || !b) {
        result.compared += 1;
        result.differences.push({ frame, field: 'message', ours: a && inShort(a), theirs: b && inShort(b), row });
        continue;
      }
      const options = a.options ? OPTIONS.filter((name) => spelt(a[name]) || spelt(b[name])) : [];
      for (const field of [...FIELDS, ...options]) {
        result.compared += 1;
        if (equal(field, a[field], b[field])) result.equal += 1;
        else result.differences.push({ frame, field, ours: a[field], theirs: b[field], row });
      }
    }
  }
  return result;
}
