// Offsets between the clocks of several sniffers, from the frames that two of them heard, as tshark shows them.
import { fields, once } from './tools.mjs';

/** Fields that are equal in all records of one transmission. */
const SAME = [
  'wpan.frame_length',
  'wpan.seq_no',
  'wpan.src16',
  'wpan.src64',
  'wpan.dst16',
  'wpan.dst64',
  'wpan.fcs',
  '6lowpan.frag.tag',
  '6lowpan.frag.offset',
];

/** Matches our note on clocks; its group is the sniffer whose clock is the reference. */
const ALIGNED = /the clock of sniffer \S+ was \S+ s apart from that of sniffer (\S+) and gained/;

/** Number of common frames whose median shift is taken; odd. */
const NEAREST = 9;
const HALF = (NEAREST - 1) / 2;

/** Converts "Feb 26, 2022 04:30:26.629743999 UTC" to seconds since 1970. */
function absolute(text) {
  const [, whole, fraction, zone] = text?.match(/^(.*:\d\d)(\.\d+)? (.*)$/) ?? [];
  return Date.parse(`${whole} ${zone}`) / 1000 + Number(fraction ?? 0);
}

/** Frames that came in ZEP, by number: `{at, sniffer, same}`. `at` is their sniffer's time in seconds. */
export const zepFrames = (subject) =>
  once(subject, 'zep', () => {
    const names = ['frame.number', 'zep.time', 'zep.device_id', ...SAME];
    const { rows } = fields(['-r', subject.path, ...subject.args, '-Y', 'zep'], names);
    const frame = (row) => ({
      at: absolute(row['zep.time'][0]),
      sniffer: row['zep.device_id'][0],
      same: SAME.map((field) => row[field].join()).join(' '),
    });
    return new Map(rows.map((row) => [Number(row['frame.number'][0]), frame(row)]));
  });

/**
 * Times of the frames that each sniffer heard exactly once: sniffer → frame → seconds. Null marks a frame heard twice.
 */
function heardOnce(frames) {
  const heard = new Map();
  for (const { at, sniffer, same } of frames) {
    if (!heard.has(sniffer)) heard.set(sniffer, new Map());
    heard.get(sniffer).set(same, heard.get(sniffer).has(same) ? null : at);
  }
  return heard;
}

/** Clock shifts to the reference: sniffer → `{at, shift}` in seconds, in order of time. */
function shifts(subject) {
  const heard = heardOnce(zepFrames(subject).values());
  const names = subject.notes.map((note) => note.first_text.match(ALIGNED)?.[1]);
  const reference = heard.get(names.find(Boolean));
  const common = ([sniffer, theirs]) => {
    const both = [...theirs].filter(([same, at]) => at !== null && typeof reference?.get(same) === 'number');
    const list = both.map(([same, at]) => ({ at, shift: at - reference.get(same) }));
    return [sniffer, list.sort((a, b) => a.at - b.at)];
  };
  return new Map([...heard].map(common));
}

/**
 * Time of a ZEP frame on the reference clock, in seconds: its sniffer's time less the median shift of the nearest
 * common frames. Undefined where there are fewer than `NEAREST` of them.
 */
export function aligned(subject, number) {
  const frame = zepFrames(subject).get(number);
  const all = frame && once(subject, 'shifts', () => shifts(subject)).get(frame.sniffer);
  if (!all || all.length < NEAREST) return undefined;
  const next = all.findIndex(({ at }) => at >= frame.at);
  const from = Math.max(0, (next < 0 ? all.length : next) - HALF);
  const near = all.slice(Math.min(from, all.length - NEAREST)).slice(0, NEAREST);
  const middle = near.map(({ shift }) => shift).sort((a, b) => a - b)[HALF];
  return frame.at - middle;
}
