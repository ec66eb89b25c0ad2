// Octets and decode trees: places of nodes, and both as text.
import type { BufferView, DissectView, NodeView } from '../../ipc/gen/types';

/** Octets of one line of a dump. */
export const LINE = 16;

/** Splits hex digits into octets: `0a1b` into `['0a', '1b']`. */
export function pairs(hex: string): string[] {
  return hex.match(/../g) ?? [];
}

/** Character of an octet in two hex digits: printable ASCII, otherwise a dot. */
export function character(pair: string): string {
  const octet = parseInt(pair, 16);
  return octet >= 0x20 && octet <= 0x7e ? String.fromCharCode(octet) : '.';
}

/**
 * Position of the node with the fewest octets that covers octet `at` of a buffer, the deepest of equals; -1: none does.
 */
export function nodeAt(nodes: readonly NodeView[], buffer: number, at: number): number {
  let found = -1;
  let length = Infinity;
  nodes.forEach((node, index) => {
    const size = node.end - node.start;
    if (node.buffer === buffer && node.start <= at && at < node.end && size <= length) [found, length] = [index, size];
  });
  return found;
}

/** Positions of the nodes that are shown: those whose parents are all open. `closed`: keys of closed nodes. */
export function visible(nodes: readonly NodeView[], closed: ReadonlySet<string>): number[] {
  const rows: number[] = [];
  let hidden = Infinity;
  nodes.forEach((node, index) => {
    if (node.depth > hidden) return;
    hidden = closed.has(keyOf(nodes, index)) ? node.depth : Infinity;
    rows.push(index);
  });
  return rows;
}

/** Key of a node, the same in all frames: a node closed in one frame is closed in the next. */
export function keyOf(nodes: readonly NodeView[], index: number): string {
  const node = nodes[index];
  return node ? `${node.depth} ${node.name || node.label.split(/[:,]/)[0]}` : '';
}

/** Whether the node at a position has children. */
export function hasChildren(nodes: readonly NodeView[], index: number): boolean {
  return (nodes[index + 1]?.depth ?? -1) > (nodes[index]?.depth ?? 0);
}

/** Position of the parent of the node at `index`; -1 for a protocol. */
export function parentOf(nodes: readonly NodeView[], index: number): number {
  const depth = nodes[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at -= 1) if ((nodes[at]?.depth ?? 0) < depth) return at;
  return -1;
}

/** Filter that frames with the value of a node pass, or with the field where it has no value; null without a name. */
export function filterOf(node: NodeView): string | null {
  return node.name === '' ? null : node.value === null ? node.name : `${node.name} == ${node.value}`;
}

/** Hex dump: offset in hex digits, octets and characters, sixteen octets a line. */
export function hexDump({ octets }: BufferView): string {
  const all = pairs(octets);
  const lines: string[] = [];
  for (let at = 0; at < all.length; at += LINE) {
    const line = all.slice(at, at + LINE);
    const text = line.map(character).join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${line.join(' ').padEnd(LINE * 3 - 1)}  ${text}`);
  }
  return lines.join('\n');
}

/** Octets as a C array, named by frame (from 1) and buffer. */
export function cArray({ name, octets }: BufferView, frame: number): string {
  const all = pairs(octets).map((pair) => `0x${pair}`);
  const lines: string[] = [];
  for (let at = 0; at < all.length; at += 12) lines.push(`  ${all.slice(at, at + 12).join(', ')}`);
  return `static const unsigned char frame_${frame + 1}_${name.toLowerCase()}[${all.length}] = {\n${lines.join(',\n')}\n};`;
}

/** Decode tree as indented text; a finding stands below its node. */
export function treeText({ frame, nodes, comments }: DissectView): string {
  const lines = nodes.flatMap(({ depth, label, finding }) => {
    const indent = '    '.repeat(depth);
    return [indent + label, ...(finding ? [`${indent}^ ${finding}`] : [])];
  });
  return [`Frame ${frame + 1}`, ...comments.map((comment) => `Comment: ${comment}`), ...lines].join('\n');
}

/** Frame as JSON: all its fields, buffers and nodes. */
export function json(view: DissectView): string {
  return JSON.stringify(view, null, 2);
}
