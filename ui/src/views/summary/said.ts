// Sentences of an import summary: whether there is something to analyse, else why not, and the timers that ran.
import { plural, span } from '../../format';
import type { CaptureView } from '../../ipc/gen/types';

/** Headline of a summary. */
export interface Said {
  /** `good`: some copy was answered; `doubtful`: none was; `nothing`: there is no exchange. */
  kind: 'good' | 'doubtful' | 'nothing';
  headline: string;
  /** Meaning of the headline, and what would help; empty where it is enough. */
  help: string;
}

/** Reason why a capture has no confirmable exchange, as a sentence or two. */
export function whyNone({ frames, messages }: Pick<CaptureView, 'frames' | 'messages'>): string {
  return frames === 0
    ? 'The capture holds no frames.'
    : messages === 0
      ? `None of the ${plural(frames, 'frame')} carries CoAP that could be read. It may be on a UDP port that nobody named, be encrypted, or not be there.`
      : `Its ${plural(messages, 'CoAP message')} are non-confirmable, or replies to requests that were not recorded: nobody waited for an answer here.`;
}

/** Counts that the headline depends on. */
type Counted = Pick<CaptureView, 'frames' | 'messages' | 'exchanges' | 'copies' | 'fates' | 'associations'>;

/** Headline for a capture called `title`. */
export function said(title: string, view: Counted): Said {
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
  const share = fates.needless / Math.max(1, view.copies);
  const headline =
    fates.needless === 0
      ? `${title} is open: ${exchanges}, no needless copy`
      : `${title} is open, and ${shareText(share)} copies ${fates.needless === 1 ? 'was' : 'were'} needless`;
  return { kind: 'good', headline, help: '' };
}

/** A share, 0 to 1, in words: `six in ten`, `one in 20`. */
function shareText(share: number): string {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const tenths = Math.round(share * 10);
  if (share > 0.95) return 'nearly all';
  if (tenths >= 1 && share >= 0.075) return `${words[tenths] ?? String(tenths)} in ten`;
  return `one in ${Math.max(14, Math.round(1 / share))}`;
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
