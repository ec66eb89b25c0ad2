// Words for the marks of a ladder: fates, frames, and the numbers behind them.
import { count, fixed, plural, span } from '../../format';
import type { DropKind, LadderCopy, LadderFrame, LadderLeg, LadderTransit, LadderSide } from '../../ipc/gen/types';
import { simulatedAs } from '../../state/replies/simulated';

/** A time or duration in ns as seconds with nine decimals, the full resolution. */
export const exact = (ns: number) => `${(ns / 1e9).toFixed(9)} s`;
/** Name of a frame, whose number is from 0, counted from 1. */
const frameName = (frame: number) => `frame ${count(frame + 1)}`;

/** Words for the delivery of a frame. */
const DELIVERY = {
  yes: 'got through',
  no: 'not received, says the log',
  unlikely: 'no link-layer ACK',
  unknown: 'whether it got through is not known',
} as const;

/** Words for the reason of a node of a simulation that dropped a part of a message. */
export const DROPPED: Record<DropKind, string> = {
  nodes_unknown: 'not sent: the capture does not show its client or its server',
  withdrawn: 'not sent: the client had withdrawn its route',
  no_route: 'dropped: the node had no next hop',
  hop_limit: 'dropped: it had passed as many hops as a datagram may',
  queue_full: 'dropped: the queue was full',
  no_acknowledgement: 'dropped after the last attempt: none was acknowledged',
  channel_busy: 'dropped: the channel stayed busy',
  no_cell: 'dropped: no cell of the schedule takes it',
  no_reassembly: 'dropped: its fragments could not be put together',
};

/**
 * Part of a message that a group of frames carried: their number, or one fragment and its retry; empty for a whole
 * message.
 */
export function pieceOf(frames: readonly LadderFrame[], leg: LadderLeg): string {
  const first = frames[0];
  if (!first) return '';
  if (frames.length > 1) return `, ${plural(frames.length, 'frame')}`;
  const piece = leg.fragments > 1 ? `, fragment ${first.fragment + 1} of ${leg.fragments}` : '';
  return `${piece}${first.attempt > 1 ? `, retry ${first.attempt - 1}` : ''}`;
}

/** Words for a group of frames: numbers, time (`t0`: ns from the first copy), and acknowledgement or delivery. */
export function howOf(frames: readonly LadderFrame[], t0: number, how: LadderFrame['delivery']): string {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return '';
  const at = `at +${fixed(t0 / 1e9, 6)} s`;
  if (first.frame === null || last.frame === null) {
    const which = first === last ? 'frame' : plural(frames.length, 'frame');
    return `simulated ${which} ${at}, ${simulatedDelivery(first === last ? first : undefined, how)}`;
  }
  const which =
    first === last ? frameName(first.frame) : `frames ${count(first.frame + 1)} to ${count(last.frame + 1)}`;
  const ack = first === last && first.ack !== null ? `acknowledged by ${frameName(first.ack)}` : DELIVERY[how];
  return `${which} ${at}, ${ack}`;
}

/** Words for the delivery of simulated frames; of one `frame` with its acknowledgement. */
function simulatedDelivery(frame: LadderFrame | undefined, how: LadderFrame['delivery']): string {
  if (frame && frame.acked !== null) return 'acknowledged';
  if (how !== 'yes') return 'not received';
  return frame ? 'received, but its acknowledgement did not reach the sender' : DELIVERY.yes;
}

/** Numbers of a group of frames in full, with their units; `start`: ns of the first copy. */
export function factsOf(
  frames: readonly LadderFrame[],
  leg: LadderLeg,
  start: number,
): (readonly [label: string, value: string])[] {
  const first = frames[0];
  if (!first) return [];
  return [
    first.frame === null
      ? (['frames', `${frames.length}, simulated`] as const)
      : [
          frames.length > 1 ? 'frames' : 'frame',
          frames.flatMap(({ frame }) => (frame === null ? [] : [frame + 1])).join(' '),
        ],
    ['start', exact(first.start)],
    ['start, from the first copy', exact(first.start - start)],
    ...(first.seq === null ? [] : [['MAC sequence number', String(first.seq)] as const]),
    ['on the air', exact(first.end - first.start)],
    ...(first.acked === null ? [] : [['acknowledged after', exact(first.acked - first.start)] as const]),
    ...(leg.mac_delay === null ? [] : [['MAC delay of the hop', exact(leg.mac_delay)] as const]),
    ...(leg.hop_limit === null ? [] : [['hop limit', String(leg.hop_limit)] as const]),
  ];
}

/** Fate of a copy in words, with its evidence. */
export function fateOf(copy: LadderCopy): string {
  const known = copy.evidence === 'unknown' ? '' : `, ${copy.evidence}`;
  switch (copy.fate) {
    case 'answered':
      return `answered, true RTT ${span(copy.rtt)}${known}`;
    case 'request_lost':
      return `did not reach the server${known}`;
    case 'reply_lost':
      return `its reply was lost${known}`;
    case 'lost':
      return `no reply to it${known}`;
    case 'unknown':
      return 'what became of it is not known';
  }
}

/** Summary of one side for its heading: number of frames and of those for needless copies, or in a run its timers. */
export function summaryOf(side: LadderSide): string {
  const frames = (transit: LadderTransit | null) => transit?.legs.reduce((sum, leg) => sum + leg.frames.length, 0) ?? 0;
  if (side.copies.length === 0) return 'not sent under this timer: the queue was full, or the capture ended';
  if (side.run === null) {
    const needless = (copy: number | null) => copy !== null && side.copies[copy]?.needless === true;
    let [all, wasted] = [0, 0];
    side.copies.forEach(({ transit }, index) => {
      all += frames(transit);
      if (needless(index)) wasted += frames(transit);
    });
    for (const { transit, answers } of side.replies) {
      all += frames(transit);
      if (needless(answers)) wasted += frames(transit);
    }
    const copies = side.copies.filter((copy) => copy.needless).length;
    const waste =
      copies > 0 ? `, ${count(wasted)} of them for ${copies === 1 ? 'the needless copy' : 'needless copies'}` : '';
    return `${plural(all, 'frame')} seen${waste}`;
  }
  const timers = side.copies.map(({ timer }) => span(timer?.value)).join(', ');
  const { simulated } = side;
  if (simulated) return `${timersOf(side, timers)}; ${simulatedAs(simulated)}`;
  const modelled = side.copies.filter(({ transit }) => transit === null).length;
  const said =
    modelled === 0
      ? 'all copies as recorded'
      : `${modelled} of ${plural(side.copies.length, 'copy', 'copies')} modelled`;
  return `${timersOf(side, timers)}; ${said}`;
}

const timersOf = (side: LadderSide, timers: string) => `${side.copies.length === 1 ? 'timer' : 'timers'} ${timers}`;
