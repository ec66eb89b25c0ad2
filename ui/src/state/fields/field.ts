// Fields of the document: each declares once where its value lives, its form in session files, and its name in undo.
import { canonical } from '../../ipc/canonical';

/** A field of type `T`; `Of` is the object that holds it, `File` the part of a session file that keeps it. */
export interface Field<Of, File, T> {
  get(of: Of): T;
  set(of: Of, value: T): void;
  /** Name behind “Undo”; a field without one is no step of undo. */
  undo?: string;
  /**
   * Text of a change, for values that are dragged: quick changes with equal texts are one step of undo. Without it
   * every change is one.
   */
  stroke?(from: T, to: T): string;
  /** Whether two values are one to undo; without it those are that have one text. */
  same?(a: T, b: T): boolean;
  /** Form in a session file; a field without one is not saved. */
  saved?: Saved<Of, File, T>;
  /** False where a report does not depend on the value. */
  report?: false;
}

interface Saved<Of, File, T> {
  write(file: File, value: T, of: Of): void;
  /**
   * Reads the value; undefined leaves the field as it is. `opened` has the number of the open capture for each index in
   * the file's list.
   */
  read(file: File, of: Of, opened: readonly (number | undefined)[]): T | undefined;
}

/** Fields by name, in the order in which they are set and compared. */
export type Fields<Of, File> = Readonly<Record<string, Field<Of, File, unknown>>>;

/** Values of fields, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** The values of all fields that undo knows. */
export function valuesOf<Of, File>(fields: Fields<Of, File>, of: Of): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.undo === undefined ? [] : [[name, field.get(of)]])),
  );
}

/** Sets fields to `values`; fields without one stay. */
export function setValues<Of, File>(fields: Fields<Of, File>, of: Of, values: Values): void {
  for (const [name, field] of Object.entries(fields)) if (name in values) field.set(of, values[name]);
}

/** Name of the first field of `fields` whose values differ; null where none does. */
export function firstChange<Of, File>(fields: Fields<Of, File>, before: Values, now: Values): string | null {
  const same = (name: string) => fields[name]?.same?.(before[name], now[name]) ?? !differ(before[name], now[name]);
  return Object.keys(now).find((name) => !same(name)) ?? null;
}

/** Whether two values differ; the same object needs no text, for a pan asks in each of its frames. */
const differ = (a: unknown, b: unknown): boolean => a !== b && canonical(a) !== canonical(b);

/** Writes the fields that `which` takes into a session file. */
export function writeTo<Of, File>(
  fields: Fields<Of, File>,
  of: Of,
  file: File,
  which: (field: Field<Of, File, unknown>) => boolean = () => true,
): void {
  for (const field of Object.values(fields)) if (which(field)) field.saved?.write(file, field.get(of), of);
}

/** Sets all fields that a session file has. */
export function readFrom<Of, File>(
  fields: Fields<Of, File>,
  of: Of,
  file: File,
  opened: readonly (number | undefined)[] = [],
): void {
  for (const field of Object.values(fields)) {
    const value = field.saved?.read(file, of, opened);
    if (value !== undefined) field.set(of, value);
  }
}
