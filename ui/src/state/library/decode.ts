import type { DecodeAs, FcsKind, ReadAs } from '../../ipc/gen/types';
import { CONTEXTS, FCS } from '../../ipc/gen/labels';

/** Entries of the dialog *Decode as…* as typed; an empty one is not given. */
export interface Entered {
  fcs: FcsKind;
  ports: string;
  rcOption: string;
  contexts: string;
  keys: string;
  addresses: string;
  unpackRatio: string;
}

/** Kinds of a frame's last two octets, in the order in which they are offered, each with its name. */
export const ENDS = (['auto', 'none', 'crc16', 'ti'] as const).map((kind) => [kind, FCS[kind]] as const);

/** Entries that stand for the options of an earlier request; null: none were given. */
export function entered(decode: DecodeAs | null): Entered {
  return {
    fcs: decode?.fcs ?? 'auto',
    ports: decode?.ports.join(', ') ?? '',
    rcOption: decode?.rc_option?.toString() ?? '',
    contexts: decode?.contexts.join('\n') ?? '',
    keys: decode?.keys.join('\n') ?? '',
    addresses: decode?.addresses.join('\n') ?? '',
    unpackRatio: decode?.unpack_ratio?.toString() ?? '',
  };
}

/**
 * Decoding options, or the first wrong entry (`at`) with a sentence on it. The core checks again; no message repeats a
 * key.
 */
export interface Asked {
  decode: DecodeAs | null;
  at: keyof Entered | null;
  message: string | null;
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Forms of a key, a context and an address, each on its line. */
const KEY = /^[0-9a-f]{32}(:\d{1,3})?$/i;
const CONTEXT = /^\d{1,2}=[0-9a-f:.]+\/\d{1,3}$/i;
const ADDRESS = /^0x[0-9a-f]{1,4}=[0-9a-f]{2}([:-][0-9a-f]{2}){7}$/i;

/** A whole number from `least` to `most`; null for an empty text, undefined for any other. */
function whole(text: string, least: number, most: number): number | null | undefined {
  if (text.trim() === '') return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}

/** Checks the entries and turns them into decoding options. */
export function asked(form: Entered): Asked {
  const no = (at: keyof Entered, message: string): Asked => ({ decode: null, at, message });
  const ports = form.ports.split(/[\s,]+/).filter((port) => port !== '');
  if (ports.some((port) => !whole(port, 1, 65_535))) return no('ports', 'Ports are 1 to 65535, with commas between.');
  const rcOption = whole(form.rcOption, 0, 65_535);
  if (rcOption === undefined) return no('rcOption', 'An option number is 0 to 65535.');
  const [contexts, keys, addresses] = [lines(form.contexts), lines(form.keys), lines(form.addresses)];
  const bad = (list: string[], form: RegExp) => list.findIndex((line) => !form.test(line)) + 1;
  if (bad(contexts, CONTEXT)) return no('contexts', `Context ${bad(contexts, CONTEXT)} is not like 0=fd00::/64.`);
  if (bad(keys, KEY)) return no('keys', `Key ${bad(keys, KEY)} is not 32 hexadecimal digits, or such with :INDEX.`);
  if (bad(addresses, ADDRESS))
    return no('addresses', `Address ${bad(addresses, ADDRESS)} is not like 0x1234=00:12:74:00:01:02:03:04.`);
  const ratio = whole(form.unpackRatio, 1, 4_294_967_295);
  if (ratio === undefined) return no('unpackRatio', 'The ratio is a whole number from 1.');
  const decode = {
    fcs: form.fcs,
    ports: ports.map(Number),
    rc_option: rcOption,
    contexts,
    keys,
    addresses,
    unpack_ratio: ratio,
  };
  return { decode, at: null, message: null };
}

/** Options that were found in the capture or given, as text beside each entry. */
export function found(read: ReadAs) {
  const kinds = new Map<string, number>();
  for (const { fcs } of read.sources) if (fcs) kinds.set(FCS[fcs], (kinds.get(FCS[fcs]) ?? 0) + 1);
  const sources = (n: number) => (n === 1 ? '1 source' : `${n} sources`);
  const guessed = read.guessed.map(({ port, answered }) => `${port} found (${answered} requests acknowledged)`);
  const contexts = read.contexts.map(({ id, prefix, how }) => `${id} = ${prefix}, ${CONTEXTS[how]}`);
  return {
    fcs: [...kinds].map(([kind, n]) => `${read.fcs === 'auto' ? 'Found' : 'Given'}: ${kind}, ${sources(n)}`),
    ports: [`In use: ${read.ports.join(', ')}`, ...guessed].join('; '),
    contexts: contexts.length > 0 ? `In force: ${contexts.join('; ')}` : 'None is known',
    keys: read.keys > 0 ? `${read.keys} in use; kept in memory only` : 'Kept in memory only',
    addresses: '',
  };
}
