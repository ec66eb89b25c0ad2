// Columns of packet lists: headings, alignment, room and text of cells.
import { clock } from '../../format';
import type { FieldView, PacketColumn } from '../../ipc/gen/types';
import type { TextTable } from '../../parts/table/tabletext';

/** A row of a packet list as it is shown; the frame counts from 0, the time is ns. */
export interface PacketCells {
  frame: number;
  t: number;
  src: string;
  dst: string;
  protocol: string;
  octets: number;
  info: string;
  /** Position in `PACKET_KINDS`. */
  kind: number;
  /** Position of the hop of its message, from 1; 0: it carries none. */
  hop: number;
  /** Number of its exchange; `NONE`: it has none. */
  exchange: number;
  /** Position in `FATE_KINDS` of the copy that it carries; 255: none. */
  fate: number;
  comment: string;
  /** Values by the name of their field. */
  fields: ReadonlyMap<string, string>;
  /** Name and colour of the rule that it passes; null: none. */
  rule: { name: string; colour: string } | null;
}

/** A column with its heading and room. */
export interface Heading {
  name: string;
  label: string;
  /** Meaning of the column, for a tooltip. */
  about: string;
  right: boolean;
  /** Track of the CSS grid. */
  track: string;
  /** Width from which the track is not narrower, px. */
  least: number;
  /** Width that was chosen, px; null: that of its kind. */
  width: number | null;
}

interface Own {
  label: string;
  about: string;
  right?: boolean;
  track: string;
  least: number;
}

const OWN: Readonly<Record<string, Own>> = {
  frame: { label: 'no.', about: 'Number of the frame in the capture, from 1', right: true, track: '58px', least: 58 },
  time: { label: 'time', about: 'Time on the clock of the window', right: true, track: '82px', least: 82 },
  kind: { label: '', about: 'Kind of the frame, and fate of a copy, as a glyph', track: '16px', least: 16 },
  src: { label: 'source', about: 'Node that sent it', track: 'clamp(112px, 10vw, 190px)', least: 112 },
  dst: { label: 'destination', about: 'Node that it goes to', track: 'clamp(112px, 10vw, 190px)', least: 112 },
  hop: { label: 'hop', about: 'Hop of its message, from 1', right: true, track: '26px', least: 26 },
  protocol: { label: 'protocol', about: 'Innermost protocol that was read', track: '62px', least: 62 },
  length: { label: 'length', about: 'Octets without a frame check sequence', right: true, track: '42px', least: 42 },
  info: { label: 'info', about: 'Summary of the frame', track: 'minmax(140px, 1fr)', least: 140 },
  rule: { label: 'colour rule', about: 'Rule of colour that the row passes', track: '112px', least: 112 },
};

/** Name of a column in lists of columns, where it has no heading or a short one. */
export function nameOf(name: string): string {
  return { frame: 'frame number', kind: 'kind (glyph)' }[name] ?? OWN[name]?.label ?? name;
}

/** Whether a column is one that every list can have. */
export const isOwn = (name: string): boolean => name in OWN;

/** Headings of columns; `fields` are those of the core. */
export function headings(columns: readonly PacketColumn[], fields: readonly FieldView[]): Heading[] {
  return columns.map(({ name, width }) => {
    const own = OWN[name];
    const field = own ? undefined : fields.find((one) => one.name === name);
    const {
      label,
      about,
      right = false,
      track,
      least,
    } = own ?? {
      label: field?.unit ? `${name}, ${field.unit}` : name,
      about: field?.about ?? '',
      right: field?.numeric ?? false,
      track: field?.numeric ? '96px' : 'clamp(96px, 11vw, 200px)',
      least: 96,
    };
    return {
      ...{ name, label, about, right, width },
      ...(width === null ? { track, least } : { track: `${width}px`, least: width }),
    };
  });
}

/** Room between columns, and beside them together, px, as `.longlist` has them. */
export const GAP = 12;
const BESIDE = 32;

/** Tracks of the CSS grid, and the width below which the list scrolls sideways, px. */
export function tracks(all: readonly Heading[]): { template: string; least: number } {
  const template = all.map(({ track }) => track);
  const fills = template.some((track) => track.includes('1fr'));
  const least = all.reduce((sum, one) => sum + one.least, BESIDE + GAP * Math.max(0, all.length - 1));
  // Without a column that fills the room the last track would not reach the right edge, and neither would a wide last
  // one.
  return { template: `${template.join(' ')}${fills ? '' : ' minmax(0, 1fr)'}`, least };
}

/** Text of a cell; `kinds` are the words of the kinds of frames. */
export function cellText(name: string, row: PacketCells, kinds: readonly string[]): string {
  switch (name) {
    case 'frame':
      return String(row.frame + 1);
    case 'time':
      return clock(row.t);
    case 'kind':
      return (kinds[row.kind] ?? '').replaceAll('_', ' ');
    case 'src':
      return row.src;
    case 'dst':
      return row.dst;
    case 'hop':
      return row.hop === 0 ? '' : String(row.hop);
    case 'protocol':
      return row.protocol;
    case 'length':
      return String(row.octets);
    case 'info':
      return row.info;
    case 'rule':
      return row.rule?.name ?? '';
    default:
      return row.fields.get(name) ?? '';
  }
}

/** End of each value in the column `fields` of a reply (src-tauri/crates/table/src/packets.rs). */
const END = '\u001f';

/** Values of the fields of one row by name, from the text of the reply. */
export function valuesOf(names: readonly string[], text: string): ReadonlyMap<string, string> {
  const values = text.split(END);
  return new Map(names.map((name, index) => [name, values[index] ?? '']));
}

/** The table of rows as shown, for the clipboard; headings are the names that files have. */
export function packetTable(
  all: readonly Heading[],
  rows: readonly PacketCells[],
  kinds: readonly string[],
): TextTable {
  return {
    columns: all.map(({ name }) => name),
    numeric: all.map(({ right }) => right),
    rows: rows.map((row) => all.map(({ name }) => cellText(name, row, kinds) || null)),
  };
}
