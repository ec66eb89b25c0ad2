import { describe, expect, it } from 'vitest';
import type { FieldView } from '../../ipc/gen/types';
import { PACKET_KINDS } from '../../state/replies/kinds';
import { OWN_COLUMNS } from '../../state/workspace/packetlook.svelte';
import { cellText, headings, isOwn, nameOf, packetTable, tracks, valuesOf, type PacketCells } from './columns';

const FIELDS: FieldView[] = [
  { name: 'rtt', kind: '', about: 'Round trip', values: [], unit: 's', numeric: true },
  { name: 'coap.token', kind: '', about: 'Token', values: [], unit: null, numeric: false },
];
const ROW: PacketCells = {
  ...{ frame: 6, t: 1.5e9, src: 'boiler', dst: 'mote 2', protocol: 'CoAP', octets: 71, info: 'CON PUT', kind: 1 },
  ...{ hop: 0, exchange: 3, fate: 0, comment: '' },
  fields: new Map([['rtt', '0.25']]),
  rule: { name: 'Sent again', colour: 'orange' },
};

describe('columns of packets', () => {
  it('know every column that lists can have, with a name for people', () => {
    expect(OWN_COLUMNS.filter((name) => !isOwn(name) || nameOf(name) === '')).toEqual([]);
    const all = headings(
      OWN_COLUMNS.map((name) => ({ name, width: null })),
      [],
    );
    expect(all.filter(({ about }) => about === '')).toEqual([]);
    expect(all.map(({ name }) => cellText(name, ROW, PACKET_KINDS))).toEqual([
      ...['7', '0:01.500', 'retransmission', 'boiler', 'mote 2', '', 'CoAP', '71', 'CON PUT', 'Sent again'],
    ]);
  });
  it('of fields have the unit in their heading and numbers to the right', () => {
    const [rtt, token, other] = headings(
      ['rtt', 'coap.token', 'of.another.version'].map((name) => ({ name, width: null })),
      FIELDS,
    );
    expect([rtt?.label, rtt?.right, token?.label, token?.right]).toEqual(['rtt, s', true, 'coap.token', false]);
    expect([other?.label, other?.about]).toEqual(['of.another.version', '']);
  });
  it('fill the room: the summary does, else what is behind the last one', () => {
    const of = (names: string[], width: number | null = null) =>
      tracks(
        headings(
          names.map((name) => ({ name, width })),
          FIELDS,
        ),
      );
    expect(of(['frame', 'info']).template).toBe('58px minmax(140px, 1fr)');
    expect(of(['frame', 'rtt']).template).toBe('58px 96px minmax(0, 1fr)');
    expect(of(['frame', 'rtt'], 200)).toEqual({ template: '200px 200px minmax(0, 1fr)', least: 200 + 200 + 12 + 32 });
  });
});

it('values of fields are read in the order in which they were asked for', () => {
  expect([...valuesOf(['a', 'b', 'c'], 'x\u001f\u001fy, z\u001f')]).toEqual([
    ['a', 'x'],
    ['b', ''],
    ['c', 'y, z'],
  ]);
  expect(valuesOf(['a'], '').get('a')).toBe('');
});

it('a copied table has the columns that are shown, in their order', () => {
  const all = headings(
    ['rtt', 'src', 'hop'].map((name) => ({ name, width: null })),
    FIELDS,
  );
  expect(packetTable(all, [ROW], PACKET_KINDS)).toEqual({
    columns: ['rtt', 'src', 'hop'],
    numeric: [true, false, true],
    rows: [['0.25', 'boiler', null]],
  });
});
