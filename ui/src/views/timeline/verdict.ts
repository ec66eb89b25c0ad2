// Sentence on the selected exchange, in the drawer of the timeline.
import { span } from '../../format';
import type { CopyView, ExchangeSide, ExchangeView } from '../../ipc/gen/types';
import { tooShortBy } from '../../state/replies/timers';

/** Fate of a copy in a word or two. */
export function fateOf(copy: CopyView): string {
  if (copy.needless) {
    return copy.fate === 'answered'
      ? 'needless'
      : copy.fate === 'unknown'
        ? 'needless, fate unknown'
        : `needless, ${died(copy)}`;
  }
  return copy.fate === 'answered' ? 'answered' : copy.fate === 'unknown' ? 'unknown' : died(copy);
}

function died(copy: CopyView): string {
  return copy.fate === 'reply_lost' ? 'reply lost' : copy.fate === 'request_lost' ? 'request lost' : 'lost';
}

/** Piece of a sentence; `strong`: set in bold. */
export interface Piece {
  text: string;
  strong?: boolean;
}

/**
 * Sentences on an exchange: what happened, what the first timer would have done, and the evidence. `names`: of the
 * sides behind the recorded one. Empty without a recorded side.
 */
export function verdict(view: ExchangeView, names: readonly string[]): Piece[] {
  const [recorded, ...runs] = view.sides;
  if (!recorded) return [];
  const pieces = [...happened(recorded)];
  const [run, name] = [runs[0], names[0]];
  if (run && name) pieces.push({ text: ' ' }, ...would(run, name, recorded));
  pieces.push({ text: ` ${evidence(recorded)}` });
  return pieces;
}

function happened(side: ExchangeSide): Piece[] {
  const { copies, end, outcome } = side;
  const first = copies[0];
  if (!first) return [];
  if (outcome === 'open')
    return [{ text: `The capture ends before this exchange does, after ${copiesText(copies.length)}.` }];
  if (outcome === 'abandoned') return [{ text: `No reply to ${copiesText(copies.length)}; the client gave up.` }];
  const at = copies.findIndex((copy) => copy.needless);
  const early = copies[at - 1];
  const short = early && at > 0 ? tooShortBy(early, early.rtt) : null;
  if (short) {
    return [
      { text: `Timer ${at} ran out ` },
      { text: span(short.value), strong: true },
      { text: ` before the reply.` },
    ];
  }
  if (early?.gap && at > 0 && early.timer === null && early.rtt !== null && early.rtt > early.gap) {
    return [
      { text: `Copy ${at + 1} was on the air ` },
      { text: span(early.rtt - early.gap), strong: true },
      { text: ` before the reply to copy ${at}.` },
    ];
  }
  const total = end === null ? '' : span(end - first.sent);
  if (copies.length === 1) return [{ text: `One copy, answered after ` }, { text: total, strong: true }, { text: '.' }];
  const lost = copies.findIndex((copy) => copy.fate !== 'answered');
  const cause = lost >= 0 && copies[lost] ? `Copy ${lost + 1}: ${fateOf(copies[lost])}. ` : '';
  return [{ text: `${cause}Closed after ` }, { text: total, strong: true }, { text: '.' }];
}

function would(run: ExchangeSide, name: string, recorded: ExchangeSide): Piece[] {
  const first = run.copies[0];
  if (!first) return [];
  const armed = first.timer === null ? '' : ` arms ${span(first.timer.value)} and`;
  const wasted = run.copies.filter((copy) => copy.needless).length;
  const saved = recorded.copies.filter((copy) => copy.needless).length - wasted;
  if (run.copies.length === 1) return [{ text: `${name}${armed} waits it out.` }];
  if (wasted === 0) return [{ text: `${name}${armed} sends ${copiesText(run.copies.length)}, none needless.` }];
  const needless = wasted === 1 ? '1 needless copy' : `${wasted} needless copies`;
  const instead = saved > 0 ? `, ${saved} fewer` : saved < 0 ? `, ${-saved} more` : ' too';
  return [{ text: `${name}${armed} sends ${needless}${instead}.` }];
}

function evidence(side: ExchangeSide): string {
  const grades = new Set(side.copies.map((copy) => copy.evidence));
  if (grades.has('unknown')) return 'This vantage cannot tell every fate.';
  if (grades.has('inferred')) return 'Fates inferred from the replies.';
  return 'Fates proven by what was seen.';
}

function copiesText(copies: number): string {
  return copies === 1 ? 'one copy' : `${copies} copies`;
}
