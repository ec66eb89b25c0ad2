// How far apart the clocks of several sniffers are, told by what tshark shows of the frames that two of them heard.
import { fields, once } from './tools.mjs';

/** What the records of one transmission share. */
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

/** The clock of which is what a clock is brought to, as our notes say it. */
const ALIGNED = /the clock of sniffer \S+ was \S+ s apart from that of sniffer (\S+) and gained/;

/** Common frames of which the middle shift is taken. */
const NEAREST = 9;
const HALF = (NEAREST - 1) / 2;

/** Seconds of "Feb 26, 2022 04:30:26.629743999 UTC". */
function absolute(text) {
  const [, whole, fraction, zone] = text?.match(/^(.*:\d\d)(\.\d+)? (.*)$/) ?? [];
  return Date.parse(`${whole} ${zone}`) / 1000 + Number(fraction ?? 0);
}

/** Frames that came in ZEP, by number: `{at, sniffer, same}`, `at` the seconds that their sniffer gave them. */
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

/** Of what each sniffer heard exactly once: sniffer, what, when. */
function heardOnce(frames) {
  const heard = new Map();
  for (const { at, sniffer, same } of frames) {
    if (!heard.has(sniffer)) heard.set(sniffer, new Map());
    heard.get(sniffer).set(same, heard.get(sniffer).has(same) ? null : at);
  }
  return heard;
}

/** How much more each sniffer's clock shows than the reference's: `{at, shift}` by sniffer, in order of time. */
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
 * The time of a ZEP frame on the clock of the reference: its sniffer's, less the middle of the nearest common frames'
 * shifts. `undefined` where they are fewer than that.
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
