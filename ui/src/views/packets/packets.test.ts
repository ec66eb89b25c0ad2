import { expect, it } from 'vitest';
import type { FieldView, NodeView } from '../../ipc/gen/types';
import { complete, insert } from './completion';
import { cArray, filterOf, hexDump, keyOf, nodeAt, parentOf, treeText, visible } from './octets';

const field = (name: string, values: string[] = []): FieldView => ({
  name,
  kind: '',
  about: `about ${name}`,
  values,
  unit: null,
  numeric: false,
});
const FIELDS = [
  field('6lowpan.frag.tag'),
  field('coap'),
  field('coap.mid'),
  field('coap.type', ['CON', 'NON', 'ACK']),
  field('message'),
];
const texts = (text: string, caret = text.length) => complete(FIELDS, text, caret).suggestions.map((s) => s.text);

it('completes fields, those that begin with the word first', () => {
  expect(texts('co')).toEqual(['coap', 'coap.mid', 'coap.type']);
  expect(texts('mi')).toEqual(['coap.mid']);
  expect(texts('udp && !m')).toEqual(['message', 'coap.mid']);
  expect(texts('')).toEqual([]);
  expect(texts('source == "co')).toEqual([]);
});

it('completes the values of the field that is compared', () => {
  expect(texts('coap.type == ')).toEqual(['CON', 'NON', 'ACK']);
  expect(texts('coap.type==n')).toEqual(['NON']);
  expect(texts('coap.type in {CON, ')).toEqual(['CON', 'NON', 'ACK']);
  expect(texts('coap.mid == ')).toEqual([]);
});

it('replaces the whole word under the caret', () => {
  const completion = complete(FIELDS, 'coap.mx == 3', 6);
  expect(completion).toMatchObject({ from: 0, to: 7 });
  const mid = { text: 'coap.mid', about: '' };
  expect(insert('coap.mx == 3', completion, mid)).toEqual({ text: 'coap.mid == 3', caret: 8 });
});

const node = (depth: number, name: string, start: number, end: number, buffer = 0): NodeView => ({
  ...{
    depth,
    name,
    label: `${name} label`,
    value: null,
    source: null,
    buffer,
    start,
    end,
    severity: null,
    finding: null,
  },
});
const NODES = [
  node(0, 'wpan', 0, 9),
  node(1, 'wpan.fcf', 0, 2),
  node(2, 'wpan.security', 0, 1),
  node(1, 'wpan.seq_no', 2, 3),
  node(0, 'ipv6', 0, 40, 1),
];

it('finds the deepest node on an octet', () => {
  expect([0, 1, 2, 5, 9].map((at) => nodeAt(NODES, 0, at))).toEqual([2, 1, 3, 0, -1]);
  expect(nodeAt(NODES, 1, 9)).toBe(4);
});

it('hides what is below a closed node', () => {
  expect(visible(NODES, new Set())).toEqual([0, 1, 2, 3, 4]);
  expect(visible(NODES, new Set([keyOf(NODES, 1)]))).toEqual([0, 1, 3, 4]);
  expect(visible(NODES, new Set([keyOf(NODES, 0)]))).toEqual([0, 4]);
  expect([0, 1, 2, 3, 4].map((index) => parentOf(NODES, index))).toEqual([-1, 0, 1, 0, -1]);
});

it('writes octets and trees as text', () => {
  const buffer = { name: 'Frame', octets: '414243000a'.padEnd(36, '7') };
  expect(hexDump(buffer).split('\n')).toEqual([
    '0000  41 42 43 00 0a 77 77 77 77 77 77 77 77 77 77 77  ABC..wwwwwwwwwww',
    '0010  77 77                                            ww',
  ]);
  expect(cArray({ name: 'Frame', octets: '0aff' }, 11)).toBe(
    'static const unsigned char frame_12_frame[2] = {\n  0x0a, 0xff\n};',
  );
  const view = { frame: 0, at: 0, source: '', buffers: [], message: null, hop: null, hops: null, exchange: null };
  const nodes = [{ ...NODES[0]!, finding: 'cut' }, NODES[1]!];
  expect(treeText({ ...view, comments: [], nodes })).toBe('Frame 1\nwpan label\n^ cut\n    wpan.fcf label');
  expect(treeText({ ...view, comments: ['again'], nodes: [] })).toBe('Frame 1\nComment: again');
  expect(filterOf({ ...NODES[3]!, value: '12' })).toBe('wpan.seq_no == 12');
  expect(filterOf(NODES[0]!)).toBe('wpan');
});
