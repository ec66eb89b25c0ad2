// A field of the document says once where it lives, how a session file holds it and what undo calls it.
import { canonical } from '../../ipc/canonical';

/** A field of type `T`: `Of` holds it, `File` is the part of a session file that keeps it. */
export interface Field<Of, File, T> {
  get(of: Of): T;
  set(of: Of, value: T): void;
  /** Its name behind “Undo”; a field without one is no step of undo. */
  undo?: string;
  /** For values that are dragged: quick changes with equal text are one step of undo. Without it every change is one. */
  stroke?(from: T, to: T): string;
  /** Its form in a session file; a field without this is not saved. */
  saved?: Saved<Of, File, T>;
  /** False: a report looks the same whatever its value. */
  report?: false;
}

interface Saved<Of, File, T> {
  write(file: File, value: T, of: Of): void;
  /** The value; undefined leaves the field as it is. `opened` has the number of the open capture for each place in the file. */
  read(file: File, of: Of, opened: readonly (number | undefined)[]): T | undefined;
}

/** Fields by name. Their order is that of setting them, and of looking for what changed. */
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

/** Name of the first field whose values differ; null where none does. */
export function firstChange(before: Values, now: Values): string | null {
  return Object.keys(now).find((name) => differ(before[name], now[name])) ?? null;
}

/** Asked in every frame of a pan: the same object needs no text. */
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
