// Layout of a state machine given as lines `from -> to: when`. States stand in a row in the order in which they are
// named. An arrow to the next state is straight; others are arcs, forward above and backward below. Conditions are too
// long for arrows, which therefore have numbers; a list has the conditions.

/** Transition of a state machine. */
export interface Transition {
  /** Number on its arrow and in the list, from 1. */
  number: number;
  /** Names of the states that the transition leads from and to. */
  from: string;
  to: string;
  /** Condition under which the transition is taken. */
  when: string;
}

/**
 * State machine: names of its states in the order of their first mention, and its transitions in the order of the
 * lines.
 */
export interface Machine {
  states: string[];
  transitions: Transition[];
}

/** Reads lines of the form `from -> to: when`; others are left out. */
export function parse(diagram: string): Machine {
  const lines = diagram.split('\n').flatMap((line) => {
    const found = /^\s*(.+?)\s*->\s*(.+?)\s*:\s*(.+?)\s*$/.exec(line);
    return found ? [{ from: found[1] ?? '', to: found[2] ?? '', when: found[3] ?? '' }] : [];
  });
  const states = [...new Set(lines.flatMap(({ from, to }) => [from, to]))];
  return { states, transitions: lines.map((line, index) => ({ number: index + 1, ...line })) };
}

/** Box of a state: left edge and width, px. */
export interface Box {
  name: string;
  x: number;
  width: number;
}

/** Arrow from one state to another, or to itself. */
export interface Arrow {
  /** Numbers of the transitions that share the arrow. */
  numbers: number[];
  /** Path of an SVG element, px; empty where a state is not known. */
  path: string;
  /** Centre of the numbers, px. */
  at: { x: number; y: number };
}

/** Places of a state diagram: its size, boxes and arrows, px. */
export interface Layout {
  width: number;
  height: number;
  boxes: Box[];
  /** Upper edge of the boxes, px. */
  top: number;
  arrows: Arrow[];
}

/** Height of a box, px. */
export const BOX = 32;
/** Space between boxes, px. */
const GAP = 56;
/** Width of a letter of a state's name, px, rounded up. */
const LETTER = 7.4;
/** Height that an arc gains for each state that it passes, px. */
const RISE = 26;
/** Space around the diagram, px. */
const MARGIN = 14;

/** Lays a machine out: states in a row, transitions between the same two states on one arrow. */
export function layout({ states, transitions }: Machine): Layout {
  let x = MARGIN;
  const boxes = states.map((name) => {
    const box = { name, x, width: Math.max(64, name.length * LETTER + 24) };
    x += box.width + GAP;
    return box;
  });
  const index = (name: string) => states.indexOf(name);
  const pairs: Record<string, Transition[]> = {};
  for (const one of transitions) (pairs[`${index(one.from)} ${index(one.to)}`] ??= []).push(one);
  const edges = Object.entries(pairs).map(([key, list]) => {
    const [from = 0, to = 0] = key.split(' ').map(Number);
    return { from, to, numbers: list.map(({ number }) => number) };
  });
  const reach = (keep: (edge: (typeof edges)[number]) => boolean, least: number) =>
    Math.max(least, ...edges.filter(keep).map(({ from, to }) => Math.max(1, Math.abs(to - from)) * RISE + MARGIN + 8));
  const top = reach(({ from, to }) => to === from || to > from + 1, MARGIN);
  const below = reach(({ from, to }) => to < from, MARGIN);
  const middle = (n: number) => (boxes[n]?.x ?? 0) + (boxes[n]?.width ?? 0) / 2;
  const arrows = edges.map(({ from, to, numbers }): Arrow => {
    const [a, b] = [boxes[from], boxes[to]];
    if (!a || !b) return { numbers, path: '', at: { x: 0, y: 0 } };
    if (from === to) {
      const c = middle(from);
      return {
        numbers,
        path: `M${c - 12},${top}C${c - 20},${top - 34} ${c + 20},${top - 34} ${c + 12},${top}`,
        at: { x: c, y: top - 25 },
      };
    }
    if (to === from + 1) {
      const y = top + BOX / 2;
      return { numbers, path: `M${a.x + a.width},${y}L${b.x},${y}`, at: { x: (a.x + a.width + b.x) / 2 - 3, y } };
    }
    const forward = to > from;
    // Arrows leave a box on the side they go to and arrive on the other, so that two of them do not touch.
    const side = forward ? 1 : -1;
    const [x0, x1] = [middle(from) + side * 20, middle(to) - side * (30 - 10 * Math.min(3, Math.abs(to - from)))];
    const y = forward ? top : top + BOX;
    const bend = y - side * Math.abs(to - from) * RISE * 1.33;
    return {
      numbers,
      path: `M${x0},${y}C${x0},${bend} ${x1},${bend} ${x1},${y}`,
      at: { x: (x0 + x1) / 2, y: y - side * Math.abs(to - from) * RISE },
    };
  });
  return { width: x - GAP + MARGIN, height: top + BOX + below, boxes, top, arrows };
}
