import type { Token } from '../series';
import type { Ink, Surface } from '../surface';

/** Axes of a ladder: time runs down and nodes stand side by side, or, in its small form, the other way round. */
export interface Rungs {
  /** Place, px, of the node with this number from 0 at time `t`. */
  at(t: number, node: number): readonly [x: number, y: number];
  /** Whether time runs downwards; else it runs to the right. */
  down: boolean;
  /** Distance along time by which the stub of a lost frame leans, px, so that it can be told from an arrow. */
  lean: number;
}

/** Sending of a frame from node `from` to node `to` at `t0`. */
interface Hop {
  t0: number;
  from: number;
  to: number;
  colour: Token;
  /** Whether it carries a reply, which is dashed. */
  reply: boolean;
  /** Whether the message had been sent on this link before. */
  faint: boolean;
}

/** One stroke of a ladder. Times are those of its {@link Rungs}. */
export type LadderMark =
  /** A frame that arrived, at `t1`. */
  | ({ kind: 'arrow'; t1: number } & Hop)
  /** A frame that was lost: a stub that ends in a ring. */
  | ({ kind: 'lost' } & Hop)
  /** A frame whose delivery the capture does not show: dots without a head. */
  | ({ kind: 'unsure' } & Hop)
  /** A message that waits in a node: left of the node's line for a request, right for a reply. */
  | { kind: 'wait'; t0: number; t1: number; node: number; reply: boolean; colour: Token }
  /**
   * The client's timer, with a foot where it ran out; hatched where it is not known, for then it is a gap on the air.
   */
  | { kind: 'timer'; t0: number; t1: number; expired: boolean; known: boolean; colour: Token }
  /** A copy that is handed to the network. */
  | { kind: 'copy'; t0: number; needless: boolean; colour: Token }
  /** A part of a message that a node of a simulation drops: a cross on the line of the node. */
  | { kind: 'drop'; t0: number; node: number; colour: Token }
  /** The reply that closes the exchange. */
  | { kind: 'closing'; t0: number; colour: Token }
  /**
   * A modelled copy: when it leaves the client and, where `t1` is not null, when its reply arrives; the way is not
   * known.
   */
  | { kind: 'modelled'; t0: number; t1: number | null; from: number; to: number; colour: Token };

/** Distance between a node's line and the beginning or end of an arrow, px. */
const GAP = 2;
/** Length of a lost frame's stub: at most so many px, and at most this share of the way. */
const STUB = 44;
const STUB_SHARE = 0.42;
/** Radius of the ring of a lost frame, px. */
const RING = 2.8;
/** Half the width of the cross of a dropped message, px. */
const CROSS = 4;
/** Distance of the timer from the client's line, and its width, px. */
const TIMER = 14;
const TIMER_WIDTH = 3.4;
/** Width of the bar of a waiting message, px. */
const WAIT = 5;

/** Draws the marks of a ladder, broad ones below fine ones. */
export function drawLadder(ctx: Surface, ink: Ink, rungs: Rungs, marks: readonly LadderMark[]): void {
  ctx.lineJoin = 'miter';
  for (const mark of marks) {
    if (mark.kind === 'wait') drawWait(ctx, ink, rungs, mark);
    else if (mark.kind === 'timer') drawTimer(ctx, ink, rungs, mark);
    else if (mark.kind === 'modelled') drawModelled(ctx, ink, rungs, mark);
  }
  for (const mark of marks) {
    if (mark.kind === 'arrow') drawArrow(ctx, ink, rungs, mark);
    else if (mark.kind === 'lost') drawLost(ctx, ink, rungs, mark);
    else if (mark.kind === 'unsure') drawUnsure(ctx, ink, rungs, mark);
  }
  for (const mark of marks) {
    if (mark.kind === 'copy') drawCopy(ctx, ink, rungs, mark);
    else if (mark.kind === 'closing') drawClosing(ctx, ink, rungs, mark);
    else if (mark.kind === 'drop') drawDrop(ctx, ink, rungs, mark);
  }
}

type Of<K extends LadderMark['kind']> = Extract<LadderMark, { kind: K }>;

/**
 * Ends of a hop that arrives at `t1`, px, a gap away from the lines of its nodes; with its direction as a unit vector
 * and its length.
 */
function ends(rungs: Rungs, mark: Hop, t1: number) {
  const [ax, ay] = rungs.at(mark.t0, mark.from);
  const [bx, by] = rungs.at(t1, mark.to);
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  return { ax: ax + ux * GAP, ay: ay + uy * GAP, bx: bx - ux * GAP, by: by - uy * GAP, ux, uy, length };
}

function stroke(ctx: Surface, ink: Ink, colour: Token, width: number, dash: readonly number[]): void {
  ctx.strokeStyle = ink.paint(colour);
  ctx.lineWidth = width;
  ctx.setLineDash([...dash]);
  ctx.stroke();
  ctx.setLineDash([]);
}

function drawArrow(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'arrow'>): void {
  const { ax, ay, bx, by, ux, uy } = ends(rungs, mark, mark.t1);
  ctx.globalAlpha = mark.faint ? 0.45 : 1;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(bx - ux * 5, by - uy * 5);
  stroke(ctx, ink, mark.colour, 1.5, mark.reply ? [4, 2.5] : []);
  ctx.beginPath();
  ctx.moveTo(bx, by);
  ctx.lineTo(bx - ux * 6.5 - uy * 2.8, by - uy * 6.5 + ux * 2.8);
  ctx.lineTo(bx - ux * 6.5 + uy * 2.8, by - uy * 6.5 - ux * 2.8);
  ctx.closePath();
  ctx.fillStyle = ink.paint(mark.colour);
  ctx.fill();
  ctx.globalAlpha = 1;
}

function drawLost(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'lost'>): void {
  const { ax, ay, ux, uy, length } = ends(rungs, mark, mark.t0);
  const reach = Math.min(STUB, length * STUB_SHARE);
  const lean = Math.min(rungs.lean, reach);
  const [ex, ey] = [ax + ux * reach + (rungs.down ? 0 : lean), ay + uy * reach + (rungs.down ? lean : 0)];
  ctx.globalAlpha = mark.faint ? 0.45 : 1;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(ex, ey);
  stroke(ctx, ink, mark.colour, 1.4, mark.reply ? [4, 2.5] : []);
  ctx.beginPath();
  ctx.moveTo(ex + RING, ey);
  ctx.arc(ex, ey, RING, 0, 2 * Math.PI);
  ctx.fillStyle = ink.paint('bg-1');
  ctx.fill();
  stroke(ctx, ink, mark.colour, 1.4, []);
  ctx.globalAlpha = 1;
}

function drawUnsure(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'unsure'>): void {
  const { ax, ay, bx, by } = ends(rungs, mark, mark.t0);
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(bx, by);
  stroke(ctx, ink, mark.colour, 1.3, [1.2, 2.6]);
}

/** Adds a bar along time to the current path, from `from` px to `to` px beside the line of a node. */
function bar(ctx: Surface, rungs: Rungs, node: number, t0: number, t1: number, from: number, to: number): void {
  const [ax, ay] = rungs.at(t0, node);
  const [bx, by] = rungs.at(t1, node);
  ctx.beginPath();
  if (rungs.down) ctx.rect(ax + from, ay, to - from, Math.max(1, by - ay));
  else ctx.rect(ax, ay + from, Math.max(1, bx - ax), to - from);
}

function drawWait(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'wait'>): void {
  const [from, to] = mark.reply ? [0.5, 0.5 + WAIT] : [-0.5 - WAIT, -0.5];
  bar(ctx, rungs, mark.node, mark.t0, mark.t1, from, to);
  ctx.fillStyle = ink.paint(mark.colour);
  ctx.globalAlpha = 0.28;
  ctx.fill();
  ctx.globalAlpha = 1;
}

function drawTimer(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'timer'>): void {
  const middle = rungs.down ? -TIMER : 3.5;
  bar(ctx, rungs, 0, mark.t0, mark.t1, middle - TIMER_WIDTH / 2, middle + TIMER_WIDTH / 2);
  ctx.fillStyle = mark.known ? ink.paint(mark.colour) : ink.hatch(mark.colour);
  ctx.globalAlpha = !mark.known ? 0.8 : rungs.down ? 0.6 : 0.35;
  ctx.fill();
  ctx.globalAlpha = 1;
  if (!rungs.down) return;
  ctx.beginPath();
  for (const t of mark.expired ? [mark.t0, mark.t1] : [mark.t0]) {
    const [x, y] = rungs.at(t, 0);
    ctx.moveTo(x - TIMER - 5, y);
    ctx.lineTo(x - TIMER + 5, y);
  }
  stroke(ctx, ink, mark.colour, 1.5, []);
}

function drawCopy(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'copy'>): void {
  const [x, y] = rungs.at(mark.t0, 0);
  const left = rungs.down ? x - 5 : x - 1.6;
  const height = rungs.down ? 10 : 8;
  ctx.beginPath();
  ctx.rect(left, y - height, 3.2, height);
  if (mark.needless) {
    const [fx, fy] = [left + 3, y - height];
    ctx.moveTo(fx, fy);
    ctx.lineTo(fx + 5.2, fy + 2.6);
    ctx.lineTo(fx, fy + 5.2);
    ctx.closePath();
  }
  ctx.fillStyle = ink.paint(mark.colour);
  ctx.fill();
}

function drawDrop(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'drop'>): void {
  const [x, y] = rungs.at(mark.t0, mark.node);
  ctx.beginPath();
  for (const slope of [-1, 1]) {
    ctx.moveTo(x - CROSS, y - CROSS * slope);
    ctx.lineTo(x + CROSS, y + CROSS * slope);
  }
  stroke(ctx, ink, 'bg-1', 4.5, []);
  stroke(ctx, ink, mark.colour, 1.8, []);
}

function drawClosing(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'closing'>): void {
  const [x, y] = rungs.at(mark.t0, 0);
  ctx.beginPath();
  if (rungs.down) {
    ctx.moveTo(x - 9, y);
    ctx.lineTo(x - 2, y - 3.4);
    ctx.lineTo(x - 2, y + 3.4);
  } else {
    ctx.moveTo(x - 3.4, y - 6);
    ctx.lineTo(x + 3.4, y - 6);
    ctx.lineTo(x, y);
  }
  ctx.closePath();
  ctx.fillStyle = ink.paint(mark.colour);
  ctx.fill();
}

/**
 * Draws a modelled copy with its reply as a hatched wedge, or a lost one as a hatched stub. The tip of the wedge stands
 * half-way in time, which means nothing.
 */
function drawModelled(ctx: Surface, ink: Ink, rungs: Rungs, mark: Of<'modelled'>): void {
  const [ax, ay] = rungs.at(mark.t0, mark.from);
  const back = mark.t1;
  const outline = () => {
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    if (back === null) {
      const [bx, by] = rungs.at(mark.t0, mark.to);
      const length = Math.hypot(bx - ax, by - ay) || 1;
      const reach = Math.min(2 * STUB, length * STUB_SHARE);
      const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
      ctx.lineTo(ax + ux * reach - uy * 4, ay + uy * reach + ux * 4);
      ctx.lineTo(ax + ux * reach + uy * 4, ay + uy * reach - ux * 4);
    } else {
      const [bx, by] = rungs.at((mark.t0 + back) / 2, mark.to);
      const [cx, cy] = rungs.at(back, mark.from);
      ctx.lineTo(bx, by);
      ctx.lineTo(cx, cy);
    }
    ctx.closePath();
  };
  outline();
  ctx.fillStyle = ink.hatch(mark.colour);
  ctx.globalAlpha = 0.7;
  ctx.fill();
  ctx.globalAlpha = 1;
  outline();
  stroke(ctx, ink, mark.colour, 1.2, [3, 2]);
}
