// Boxes of the items of a ladder, and the item under a pointer.
import type { Rungs } from '../../plot/marks/ladder';
import type { Item, Label } from './scene';

/** Rectangle: upper left corner and size, px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Box around the marks of an item, as `plot/marks/ladder.ts` draws them. */
export function boxOf(item: Item, rungs: Rungs): Box {
  const [ax, ay] = rungs.at(item.t0, item.from);
  const [bx, by] = rungs.at(item.t1, item.to);
  const mark = item.marks[0];
  switch (mark?.kind) {
    case 'wait':
      return { x: mark.reply ? ax : ax - 6, y: ay, width: 6, height: by - ay };
    case 'timer':
      return { x: ax - 17, y: ay, width: 6, height: by - ay };
    case 'drop':
      return { x: ax - 5, y: ay - 5, width: 10, height: 10 };
    case 'copy':
      return { x: ax - 6, y: ay - 11, width: mark.needless ? 11 : 6, height: 11 };
    case 'closing':
      return { x: ax - 10, y: ay - 4, width: 9, height: 8 };
    case 'lost': {
      const reach = Math.min(47, Math.abs(bx - ax) * 0.42 + 3);
      return { x: bx > ax ? ax : ax - reach, y: ay - 3, width: reach, height: by - ay + 6 };
    }
    case 'modelled':
      if (mark.t1 === null) return { x: ax, y: ay - 5, width: Math.min(88, (bx - ax) * 0.42), height: 10 };
  }
  return { x: Math.min(ax, bx), y: ay - 3, width: Math.abs(bx - ax), height: by - ay + 6 };
}

/** Item nearest to a point (px), at most `reach` px away; of equally near ones the smallest. Null: none. */
export function itemAt(items: readonly Item[], rungs: Rungs, x: number, y: number, reach = 6): Item | null {
  let best: { item: Item; cost: number } | null = null;
  for (const item of items) {
    const box = boxOf(item, rungs);
    const dx = Math.max(box.x - x, 0, x - box.x - box.width);
    const dy = Math.max(box.y - y, 0, y - box.y - box.height);
    const away = Math.hypot(dx, dy);
    if (away > reach) continue;
    const cost = away + (box.width * box.height) / 1e6;
    if (!best || cost < best.cost) best = { item, cost };
  }
  return best?.item ?? null;
}

/**
 * Baseline of a label of one line, px: beside the middle of the duration that it labels, or clear of the arrow at its
 * time.
 */
export function footOf(label: Label, y: (t: number) => number): number {
  return y(label.t) + (label.length !== undefined ? 4 : label.below ? 13 : -5);
}

/**
 * Labels that fit: in sight, their duration tall enough, 14 px from others of their column. Strong ones are placed
 * first.
 */
export function fitting(labels: readonly Label[], y: (t: number) => number, height: number): Label[] {
  const below = new Map<string, number>();
  const kept: Label[] = [];
  const weight = (label: Label) => (label.strong ? 0 : 1);
  for (const label of [...labels].sort((a, b) => weight(a) - weight(b) || a.t - b.t)) {
    const at = y(label.t);
    if (at < -4 || at > height + 4) continue;
    const tall = label.length === undefined ? Infinity : Math.abs(y(label.t + label.length) - at);
    if (tall < (label.side === 'timer' ? 30 : 16)) continue;
    const column = `${label.node} ${label.side}`;
    const foot = footOf(label, y);
    const clash = [...below].some(([key, taken]) => key.startsWith(`${column} `) && Math.abs(taken - foot) < 14);
    if (clash) continue;
    below.set(`${column} ${kept.length}`, foot);
    kept.push(label);
  }
  return kept;
}
