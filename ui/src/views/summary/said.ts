// Words of an import summary: whether there is something to analyse, else why not; the timers that ran; notes.
import { count, plural, span } from '../../format';
import type { CaptureView, NoteCount } from '../../ipc/gen/types';

/** Headline of a summary. */
export interface Said {
  /** `good`: some copy was answered; `doubtful`: none was; `nothing`: there is no exchange. */
  kind: 'good' | 'doubtful' | 'nothing';
  headline: string;
  /** Meaning of the headline, and what would help; empty where it is enough. */
  help: string;
}

/** Notes that say why frames show no CoAP, by their code, and what is said behind their number and its verb. */
const SEALED: readonly { codes: readonly string[]; says: string }[] = [
  { codes: ['zigbee'], says: 'of ZigBee, which carries no CoAP.' },
  {
    codes: ['encrypted', 'encrypted-by-unknown', 'wrong-key'],
    says: 'encrypted at the link layer: Decode as… takes the key.',
  },
  { codes: ['encrypted-otherwise'], says: 'encrypted at the link layer in a way that is not known here.' },
  { codes: ['dtls'], says: 'of DTLS: CoAP in it cannot be read.' },
];

/** Reason why a capture has no confirmable exchange, in sentences. */
export function whyNone({
  frames,
  messages,
  notes,
}: Pick<CaptureView, 'frames' | 'messages'> & { notes: readonly Pick<NoteCount, 'code' | 'count'>[] }): string {
  if (frames === 0) return 'The capture holds no frames.';
  if (messages > 0)
    return `Its ${plural(messages, 'CoAP message')} are non-confirmable, or replies to requests that were not recorded: nobody waited for an answer here.`;
  const none = `None of the ${plural(frames, 'frame')} carries CoAP that could be read.`;
  const reasons = SEALED.flatMap(({ codes, says }) => {
    const n = notes.reduce((sum, note) => sum + (codes.includes(note.code) ? note.count : 0), 0);
    return n === 0 ? [] : `${count(n)} ${n === 1 ? 'is' : 'are'} ${says}`;
  });
  if (reasons.length === 0) return `${none} It may be on a UDP port that nobody named, be encrypted, or not be there.`;
  return [none, ...reasons].join(' ');
}

/** Counts that the headline depends on. */
type Counted = Pick<CaptureView, 'frames' | 'messages' | 'exchanges' | 'copies' | 'fates' | 'associations' | 'notes'>;

/** Characters of a title that a headline has room for, and of these at its end. */
const TITLE = 40;
const TITLE_END = 14;

/** Headline for a capture called `name`, which is cut in its middle where it is long. */
export function said(name: string, view: Counted): Said {
  const title = name.length <= TITLE ? name : `${name.slice(0, TITLE - TITLE_END - 1)}…${name.slice(-TITLE_END)}`;
  if (view.exchanges === 0) {
    return { kind: 'nothing', headline: `Nothing to analyse in ${title}`, help: whyNone(view) };
  }
  const { fates } = view;
  const clients = plural(view.associations.length, 'client');
  const exchanges = plural(view.exchanges, 'exchange');
  if (fates.answered === 0 && fates.needless === 0) {
    return {
      kind: 'doubtful',
      headline: `${clients}, ${exchanges}, no reply captured`,
      help: 'Was the sniffer on the client’s side only? Without replies no round trip is known, and a replay has nothing to go by.',
    };
  }
  // The larger of what was sent in vain and of what never arrived is what a reader comes for.
  const lost = fates.lost + fates.reply_lost;
  const [most, word] = lost > fates.needless ? [lost, 'lost or unanswered'] : [fates.needless, 'needless'];
  const headline =
    most === 0
      ? `${title} is open: ${exchanges}, no needless copy and none lost`
      : `${title} is open, and ${sharePart(most / Math.max(1, view.copies))} ${word}`;
  return { kind: 'good', headline, help: '' };
}

/** Copies of a share, 0 to 1, in words, with the verb: `six in ten copies were`, `one in 20 copies was`. */
function sharePart(share: number): string {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const tenths = Math.min(9, Math.round(share * 10));
  if (share > 0.95) return 'nearly all copies were';
  if (tenths >= 2) return `${words[tenths] ?? String(tenths)} in ten copies were`;
  return `one in ${share >= 0.075 ? 'ten' : Math.max(14, Math.round(1 / share))} copies was`;
}

/**
 * Sentences on the timers that ran: known ones by their source, gaps on the air, and the wait before the air. Empty
 * without any.
 */
export function timersSaid({ timers }: Pick<CaptureView, 'timers'>): string[] {
  const { log, inferred, gaps, first, first_gaps, wait } = timers;
  const range = ([low, high]: readonly [number, number]) => `${span(low)} to ${span(high)}`;
  const lines: string[] = [];
  if (log > 0)
    lines.push(`The clients’ log says ${plural(log, 'timer')}${first ? `, first ones of ${range(first)}` : ''}.`);
  if (inferred > 0) {
    const which = log === 0 && first ? `, first ones of ${range(first)}` : '';
    lines.push(`${plural(inferred, 'timer')} inferred from gaps between copies, with their errors${which}.`);
  }
  if (first_gaps && (gaps > 0 || log > 0)) {
    const why =
      log > 0 && gaps === 0
        ? 'since copies wait in their client before they are sent; the log’s timers are shown'
        : 'and are not taken for timers where copies may have waited in their client';
    lines.push(`First gaps on the air spread over ${range(first_gaps)}, ${why}.`);
  }
  if (wait) {
    const [before, whole] = wait;
    lines.push(
      `Before it is on the air a first copy waits ${span(before)} on average: exchanges take ${span(whole - before)} from the air, ${span(whole)} from the application.`,
    );
  }
  return lines;
}

/** Heading of a note: its code in words, abbreviations in capitals. */
export const title = (note: NoteCount) =>
  note.code
    .replaceAll('-', ' ')
    .replace(/\bcoap\b/g, 'CoAP')
    .replace(/\bzigbee\b/g, 'ZigBee')
    .replace(/\b(fcs|crc|ip|udp|rpl|mac|zep|psdu|mid)\b/g, (short) => short.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase());
