// Octets and decode trees as text.
import type { BufferView, DissectView, NodeView } from '../../ipc/gen/types';

/** Octets of one line of a dump. */
export const LINE = 16;

/** `0a1b` as `['0a', '1b']`. */
export function pairs(hex: string): string[] {
  return hex.match(/../g) ?? [];
}

/** The character an octet prints as; a dot for those that print as none. */
export function character(pair: string): string {
  const octet = parseInt(pair, 16);
  return octet >= 0x20 && octet <= 0x7e ? String.fromCharCode(octet) : '.';
}

/** The deepest node that stands on octet `at` of buffer `buffer`; -1 where none does. */
export function nodeAt(nodes: readonly NodeView[], buffer: number, at: number): number {
  let found = -1;
  let length = Infinity;
  nodes.forEach((node, index) => {
    const size = node.end - node.start;
    if (node.buffer === buffer && node.start <= at && at < node.end && size <= length) [found, length] = [index, size];
  });
  return found;
}

/** Rows of a tree: those whose parents are all open. */
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

/** A node's name in all frames: what was closed in one stays closed in the next. */
export function keyOf(nodes: readonly NodeView[], index: number): string {
  const node = nodes[index];
  return node ? `${node.depth} ${node.name || node.label.split(/[:,]/)[0]}` : '';
}

export function hasChildren(nodes: readonly NodeView[], index: number): boolean {
  return (nodes[index + 1]?.depth ?? -1) > (nodes[index]?.depth ?? 0);
}

/** The node above `index`; -1 for a protocol. */
export function parentOf(nodes: readonly NodeView[], index: number): number {
  const depth = nodes[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at -= 1) if ((nodes[at]?.depth ?? 0) < depth) return at;
  return -1;
}

/** The filter that a node's value would pass; null when it has none. */
export function filterOf(node: NodeView): string | null {
  return node.name === '' ? null : node.value === null ? node.name : `${node.name} == ${node.value}`;
}

/** As `xxd` shows it: offset, octets, characters. */
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

/** A C array with the buffer's name. */
export function cArray({ name, octets }: BufferView, frame: number): string {
  const all = pairs(octets).map((pair) => `0x${pair}`);
  const lines: string[] = [];
  for (let at = 0; at < all.length; at += 12) lines.push(`  ${all.slice(at, at + 12).join(', ')}`);
  return `static const unsigned char frame_${frame + 1}_${name.toLowerCase()}[${all.length}] = {\n${lines.join(',\n')}\n};`;
}

/** The tree, indented; what is wrong stands below its node. */
export function treeText({ frame, nodes, comments }: DissectView): string {
  const lines = nodes.flatMap(({ depth, label, finding }) => {
    const indent = '    '.repeat(depth);
    return [indent + label, ...(finding ? [`${indent}^ ${finding}`] : [])];
  });
  return [`Frame ${frame + 1}`, ...comments.map((comment) => `Comment: ${comment}`), ...lines].join('\n');
}

/** Frame, buffers and nodes. */
export function json(view: DissectView): string {
  return JSON.stringify(view, null, 2);
}
