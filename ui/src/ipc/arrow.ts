import { tableFromIPC, Type } from '@uwdata/flechette';

/** Array of a column of an Arrow reply, by the kind that the generated maps name. */
interface Arrays {
  f64: Float64Array;
  f32: Float32Array;
  u32: Uint32Array;
  u16: Uint16Array;
  u8: Uint8Array;
  text: string[];
}

/** Kind of each column of a reply, by name, from the generated maps. */
export type ColumnMap = Readonly<Record<string, keyof Arrays>>;

/** A decoded reply: an array for each column, all of `length` rows. */
export type Columns<M extends ColumnMap> = { readonly [K in keyof M]: Arrays[M[K]] } & { readonly length: number };

const CONSTRUCTORS = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

/**
 * Decodes an Arrow IPC stream into the columns of `map`. Numbers are views of `bytes` where the stream has one batch; a
 * column of type Null becomes zeros.
 * @throws where a column is missing: page and core are of different versions.
 */
export function decode<M extends ColumnMap>(bytes: ArrayBuffer | Uint8Array, map: M): Columns<M> {
  const table = tableFromIPC(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  const columns: Record<string, unknown> = { length: table.numRows };
  for (const [name, kind] of Object.entries(map)) {
    const column = table.getChild(name);
    if (!column) throw new Error(`The reply has no column “${name}”`);
    if (kind !== 'text' && column.type.typeId === Type.Null) {
      columns[name] = new CONSTRUCTORS[kind](table.numRows);
      continue;
    }
    const values = column.toArray();
    if (kind === 'text') columns[name] = Array.from(values as ArrayLike<unknown>, String);
    else columns[name] = values instanceof CONSTRUCTORS[kind] ? values : CONSTRUCTORS[kind].from(values as number[]);
  }
  return columns as Columns<M>;
}

/** Rows `from` to before `end`, from 0; columns of numbers are views. */
export function slice<M extends ColumnMap>(columns: Columns<M>, from: number, end: number): Columns<M> {
  const cut: Record<string, unknown> = { length: end - from };
  for (const [name, values] of Object.entries(columns)) {
    if (Array.isArray(values)) cut[name] = values.slice(from, end);
    else if (typeof values === 'object') cut[name] = (values as Arrays['f64']).subarray(from, end);
  }
  return cut as Columns<M>;
}

/** A reply without rows, with the columns of `map`. */
export function empty<M extends ColumnMap>(map: M): Columns<M> {
  const columns: Record<string, unknown> = { length: 0 };
  for (const [name, kind] of Object.entries(map)) columns[name] = kind === 'text' ? [] : new CONSTRUCTORS[kind]();
  return columns as Columns<M>;
}
