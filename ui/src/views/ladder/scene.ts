// Marks of one side of a ladder with the words for each, in nanoseconds and node positions, before any layout.
import { span } from '../../format';
import type {
  LadderCopy,
  LadderDrop,
  LadderFrame,
  LadderLeg,
  LadderSide,
  LadderTransit,
  LadderView,
  TimerView,
} from '../../ipc/gen/types';
import type { LadderMark } from '../../plot/marks/ladder';
import type { Token } from '../../plot/series';
import { GAP, knownBy, timerText } from '../../state/replies/timers';
import { simulatedAs } from '../../state/replies/simulated';
import { DROPPED, exact, factsOf, fateOf, howOf, pieceOf } from './text';

/** Item of a ladder: what pointer and keyboard reach, with its marks and words. */
export interface Item {
  /** Position in its scene. */
  id: number;
  /** Position of its copy or reply, copies first: a row that the keyboard walks along. */
  row: number;
  /** Start and end, ns from the first copy. */
  t0: number;
  t1: number;
  /** Positions of the nodes between which it lies, from 0. */
  from: number;
  to: number;
  /** Strokes that draw it, in its times and nodes. */
  marks: readonly LadderMark[];
  /** Three lines: name, course and consequence; empty where there is nothing to say. */
  lines: readonly string[];
  /** Numbers of its frames, from 0. */
  frames: readonly number[];
  /** Numbers with every digit and their units, for copying. */
  facts: readonly (readonly [label: string, value: string])[];
}

/** Text beside the line of a node. */
export interface Label {
  /** Time of the text, ns from the first copy. */
  t: number;
  /** Position of the node. */
  node: number;
  /** First or only line. */
  text: string;
  /** Side of the line; `timer`: left of the timer, in two lines. */
  side: 'left' | 'right' | 'timer';
  /** Placed before others, and set in bold. */
  strong?: boolean;
  /** Set in the colour of needless copies. */
  waste?: boolean;
  /** Stands below its time, since the arrow of an arriving message comes from above. */
  below?: boolean;
  /** Text of a second line. */
  more?: string;
  /** Duration around `t` that it labels, ns: shown only where that is tall enough. Undefined: a moment. */
  length?: number;
}

/** Items and labels of one side, and its number of rows: copies and replies. */
export interface Scene {
  items: readonly Item[];
  labels: readonly Label[];
  rows: number;
}

/** Colour of a side; needless copies have that of waste whatever it is. */
export interface Look {
  colour: Token;
}

/** Words for the end of a message on its last hop. */
const ENDING = {
  arrived: 'arrived',
  not_received: 'died on this hop: the log says it was not received',
  incomplete: 'died on this hop: a fragment never went on the air',
  not_acknowledged: 'died on this hop, or in the next node unnoticed: no link-layer ACK came',
  not_sent_on: 'died in the next node: it was not sent on',
  dropped: 'died here: a node dropped it',
  unknown: 'last seen here; the capture cannot tell more',
} as const;

/** Distance below which frames of one leg are drawn and named as one, px. */
const NEAR_PX = 3;

/** Builds the scene of one side; `perPx`: nanoseconds of a pixel, which decides the frames that are drawn as one. */
export function sceneOf(view: LadderView, side: LadderSide, look: Look, perPx: number): Scene {
  const build = new Builder(view, side, look, perPx);
  side.copies.forEach((copy, index) => build.copy(copy, index));
  side.replies.forEach((reply, index) => build.reply(index));
  build.close();
  return { items: build.items, labels: build.labels, rows: side.copies.length + side.replies.length };
}

/** Collects items and labels, copy by copy and reply by reply. */
class Builder {
  readonly items: Item[] = [];
  readonly labels: Label[] = [];
  readonly #start: number;
  readonly #server: number;

  constructor(
    readonly view: LadderView,
    readonly side: LadderSide,
    readonly look: Look,
    readonly perPx: number,
  ) {
    this.#start = side.copies[0]?.sent ?? 0;
    this.#server = view.nodes.length - 1;
  }

  #put(item: Omit<Item, 'id'>): void {
    this.items.push({ ...item, id: this.items.length });
  }

  #name(node: number): string {
    return this.view.nodes[node]?.name ?? '';
  }

  /** Colour of a copy by position; null: of a reply whose copy is not known. */
  #colour(copy: number | null): Token {
    const needless = copy !== null && this.side.copies[copy]?.needless === true;
    return needless ? 'waste' : copy === null ? 'ink-3' : this.look.colour;
  }

  copy(copy: LadderCopy, index: number): void {
    const colour = this.#colour(index);
    const name = `copy ${index + 1}`;
    const sent = copy.sent - this.#start;
    const at = { row: index, from: 0, to: 0, frames: [] };
    const needless = copy.needless ? ', needless' : '';
    this.#put({
      ...{ ...at, t0: sent, t1: sent },
      marks: [{ kind: 'copy', t0: sent, needless: copy.needless, colour }],
      lines: [`${name}${needless}`, `sent at +${span(sent)}`, fateOf(copy)],
      facts: [
        ['sent', exact(copy.sent)],
        ['sent, from the first copy', exact(sent)],
        ...(copy.rtt === null ? [] : [['true RTT', exact(copy.rtt)] as const]),
        ['fate', `${copy.fate.replace('_', ' ')}, ${copy.evidence}`],
      ],
    });
    if (index > 0) {
      const modelled = copy.transit === null && this.side.run !== null ? ', modelled' : '';
      const text = `${name}${needless}${modelled}`;
      this.labels.push({ t: sent, node: 0, text, side: 'right', strong: true, waste: copy.needless });
    }
    if (copy.timer) this.#timer(copy, copy.timer, index, colour);
    else if (copy.gap !== null) this.#gap(copy, copy.gap, index, colour);
    if (copy.transit) this.#transit(copy.transit, index, name, colour, false);
    else this.#modelled(copy, index, name, colour);
  }

  /** Adds a known timer: from its arming (without a known wait, from the first frame) to its end or the reply. */
  #timer(copy: LadderCopy, timer: TimerView, index: number, colour: Token): void {
    const wait = copy.wait?.value ?? 0;
    const armed = copy.sent - this.#start - wait;
    const shown = copy.expired
      ? timer.value
      : Math.min(timer.value, Math.max(0, (this.side.end ?? Infinity) - copy.sent + wait));
    const t1 = armed + shown;
    const waited = copy.wait
      ? `, armed ${span(wait)} before its first frame on the air (± ${span(copy.wait.error)})`
      : '';
    this.#put({
      ...{ row: index, t0: armed, t1, from: 0, to: 0, frames: [] },
      marks: [{ kind: 'timer', t0: armed, t1, expired: copy.expired, known: true, colour }],
      lines: [
        `timer of copy ${index + 1}: ${timerText(timer)}`,
        copy.expired ? 'it ran out' : 'a reply came before it ran out',
        `${knownBy(timer)}${waited}`,
      ],
      facts: [
        ['timer', exact(timer.value)],
        ...(timer.error > 0 ? [['error of the timer', exact(timer.error)] as const] : []),
        ...(copy.wait ? [['wait before the air', exact(copy.wait.value)] as const] : []),
        ...(copy.gap !== null && copy.expired ? [['gap on air', exact(copy.gap)] as const] : []),
      ],
    });
    const label = { node: 0, side: 'timer', length: shown } as const;
    this.labels.push({ ...label, t: armed + shown / 2, text: `timer ${index + 1}`, more: span(timer.value) });
  }

  /**
   * Adds a time on the air where the timer is not known: the gap to the next copy, or a time that the timer outlasted.
   */
  #gap(copy: LadderCopy, gap: number, index: number, colour: Token): void {
    const t0 = copy.sent - this.#start;
    const open = !copy.expired;
    const shown = open ? Math.min(gap, Math.max(0, (this.side.end ?? Infinity) - copy.sent)) : gap;
    const t1 = t0 + shown;
    const said = `${open ? '> ' : ''}${span(gap)}`;
    this.#put({
      ...{ row: index, t0, t1, from: 0, to: 0, frames: [] },
      marks: [{ kind: 'timer', t0, t1, expired: copy.expired, known: false, colour }],
      lines: open
        ? [
            `timer of copy ${index + 1}: longer than ${span(gap)}`,
            'a reply came before it ran out',
            'from the first frame of this copy to the end',
          ]
        : [`gap on air after copy ${index + 1}: ${span(gap)}`, 'the timer ran out', GAP],
      facts: [[open ? 'timer' : 'gap on air', `${open ? '> ' : ''}${exact(gap)}`]],
    });
    const text = open ? `timer ${index + 1}` : `gap on air`;
    this.labels.push({ t: t0 + shown / 2, node: 0, text, more: said, side: 'timer', length: shown });
  }

  /** Adds a copy without recorded hops: only the times at the client are known. */
  #modelled(copy: LadderCopy, row: number, name: string, colour: Token): void {
    const t0 = copy.sent - this.#start;
    const t1 = copy.rtt === null ? null : t0 + copy.rtt;
    const recorded = copy.like !== null;
    this.#put({
      ...{ row, t0, t1: t1 ?? t0, from: 0, to: this.#server, frames: [] },
      marks: [{ kind: 'modelled', t0, t1, from: 0, to: this.#server, colour }],
      lines: [
        `${name}: ${copy.rtt === null ? 'lost' : `answered after ${span(copy.rtt)}`}, ${recorded ? 'recorded' : 'modelled'}`,
        recorded ? 'the recorded copy went over other nodes' : 'no copy was recorded at this time',
        'only the times at the client are said, not the way',
      ],
      facts: copy.rtt === null ? [] : [['true RTT', exact(copy.rtt)]],
    });
  }

  reply(index: number): void {
    const reply = this.side.replies[index];
    if (!reply) return;
    const colour = this.#colour(reply.answers);
    const to = reply.answers === null ? '' : ` to copy ${reply.answers + 1}`;
    this.#transit(reply.transit, this.side.copies.length + index, `reply${to}`, colour, true);
    if (reply.arrived === null || reply.closing) return;
    const t = reply.arrived - this.#start;
    this.labels.push({ t, node: 0, text: `late reply${to}, ${span(t)}`, side: 'right', below: true });
  }

  close(): void {
    if (this.side.end === null) return;
    const t = this.side.end - this.#start;
    const first = this.side.copies[0];
    this.#put({
      ...{ row: 0, t0: t, t1: t, from: 0, to: 0, frames: [] },
      marks: [{ kind: 'closing', t0: t, colour: this.look.colour }],
      lines: [`closed after ${span(t)}`, 'a reply reached the client', ''],
      facts: [
        ['end', exact(this.side.end)],
        ['from the first copy', exact(this.side.end - (first?.sent ?? 0))],
      ],
    });
    this.labels.push({ t, node: 0, text: `closed after ${span(t)}`, side: 'right', strong: true, below: true });
  }

  #transit(transit: LadderTransit, row: number, name: string, colour: Token, reply: boolean): void {
    for (const wait of transit.waits) {
      const [t0, t1] = [wait.from - this.#start, wait.until - this.#start];
      const queue = wait.kind === 'queue';
      this.#put({
        ...{ row, t0, t1, from: wait.node, to: wait.node, frames: [] },
        marks: [{ kind: 'wait', t0, t1, node: wait.node, reply, colour }],
        lines: [
          `${this.#name(wait.node)} ${queue ? `kept ${name}` : 'had the request'} for ${span(t1 - t0)}`,
          queue ? 'arrival to the first frame that took it on' : 'its arrival to the first frame of the reply',
          'processing, queue and channel access',
        ],
        facts: [
          [queue ? 'queue' : 'turnaround', exact(t1 - t0)],
          ['arrived', exact(wait.from)],
          ['sent on', exact(wait.until)],
        ],
      });
      const side = reply ? 'right' : 'left';
      this.labels.push({ t: (t0 + t1) / 2, node: wait.node, text: span(t1 - t0), side, length: t1 - t0 });
    }
    for (const drop of transit.drops) this.#drop(drop, row, name, colour, reply);
    transit.legs.forEach((leg, index) => {
      const unanswered = !reply && transit.ending === 'arrived' && this.side.copies[row]?.reply === null;
      const last =
        transit.leg === index
          ? ENDING[transit.ending]
          : unanswered && leg.to === this.#server && !leg.duplicate
            ? 'its node had it, and no reply to it was seen to leave'
            : null;
      // Where a message is known to have arrived, the frame that ended at its destination carried it.
      const there = transit.ending === 'arrived' && leg.to === (reply ? 0 : this.#server);
      this.#leg(leg, row, name, { colour, reply, there }, last, transit.evidence);
    });
  }

  /** Adds a part of a message that a node of a simulation dropped. */
  #drop({ node, at, reason }: LadderDrop, row: number, name: string, colour: Token, reply: boolean): void {
    const t0 = at - this.#start;
    const { simulated } = this.side;
    this.#put({
      ...{ row, t0, t1: t0, from: node, to: node, frames: [] },
      marks: [{ kind: 'drop', t0, node, colour }],
      lines: [`${name}, in ${this.#name(node)}`, DROPPED[reason], simulated ? simulatedAs(simulated) : ''],
      facts: [
        ['dropped', exact(at)],
        ['dropped, from the first copy', exact(t0)],
      ],
    });
    this.labels.push({ t: t0, node, text: 'dropped', side: reply ? 'right' : 'left', waste: colour === 'waste' });
  }

  #leg(
    leg: LadderLeg,
    row: number,
    name: string,
    { colour, reply, there }: { colour: Token; reply: boolean; there: boolean },
    last: string | null,
    evidence: string,
  ): void {
    const hop = `${name}, ${this.#name(leg.from)} → ${this.#name(leg.to)}`;
    const faint = leg.duplicate;
    for (const frames of grouped(leg.frames, this.perPx * NEAR_PX)) {
      const [first, end] = [frames[0], frames.at(-1)];
      if (!first || !end) continue;
      const [t0, t1] = [first.start - this.#start, end.end - this.#start];
      const way = { t0, from: leg.from, to: leg.to, colour, reply, faint };
      const got = frames.find((frame) => through(frame, leg, there) === 'yes');
      const how = got ? 'yes' : through(first, leg, there);
      const mark: LadderMark =
        how === 'yes'
          ? { ...way, kind: 'arrow', t0: (got ?? first).start - this.#start, t1: (got ?? first).end - this.#start }
          : { ...way, kind: how === 'unknown' ? 'unsure' : 'lost' };
      this.#put({
        ...{
          row,
          t0,
          t1,
          from: leg.from,
          to: leg.to,
          marks: [mark],
          frames: frames.flatMap(({ frame }) => (frame === null ? [] : [frame])),
        },
        lines: [`${hop}${pieceOf(frames, leg)}`, howOf(frames, t0, how), this.#follows(leg, last, evidence, frames)],
        facts: factsOf(frames, leg, this.#start),
      });
    }
  }

  #follows(leg: LadderLeg, last: string | null, evidence: string, frames: readonly LadderFrame[]): string {
    const known = this.side.simulated ? 'simulated' : evidence;
    if (last !== null && frames.at(-1) === leg.frames.at(-1)) return `${last} (${known})`;
    const again = leg.duplicate ? 'sent on this link before; ' : '';
    if (leg.mac_delay !== null) return `${again}MAC ${span(leg.mac_delay)} from the first frame to the ACK`;
    return again ? 'sent on this link before' : '';
  }
}

/**
 * Delivery of a frame: the only frame of a hop got through where the message did; of several frames each has its own.
 */
function through(frame: LadderFrame, leg: LadderLeg, there: boolean): LadderFrame['delivery'] {
  return leg.frames.length === 1 && (leg.delivery === 'yes' || there) ? 'yes' : frame.delivery;
}

/** Groups of neighbouring frames drawn as one: within `near` ns of the first, with the same delivery. */
function grouped(frames: readonly LadderFrame[], near: number): LadderFrame[][] {
  const groups: LadderFrame[][] = [];
  for (const frame of frames) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first && frame.start - first.start < near && frame.delivery === first.delivery) group.push(frame);
    else groups.push([frame]);
  }
  return groups;
}

/** Whether two items show the same event, although their scenes group frames differently. */
export function isSame(item: Item, other: Item): boolean {
  if (item.row !== other.row || item.marks[0]?.kind !== other.marks[0]?.kind) return false;
  const frame = other.frames[0];
  return frame === undefined ? item.t0 === other.t0 && item.from === other.from : item.frames.includes(frame);
}
