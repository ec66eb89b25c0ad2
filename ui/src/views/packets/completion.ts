// Completions of the word at the caret of a filter.
import type { FieldView } from '../../ipc/gen/types';

/** A completion: name of a field, or a value. */
export interface Suggestion {
  /** Text that is inserted. */
  text: string;
  /** Meaning of the field, or name of the field that has the value. */
  about: string;
}

/** Word at the caret, and its completions. */
export interface Completion {
  /** Word to replace: its start, and the position behind it, in UTF-16 units. */
  from: number;
  to: number;
  /** Completions, the best first; empty: none. */
  suggestions: readonly Suggestion[];
}

/** Word that ends at the caret. */
const WORD = /[\w.]*$/;
/** Field before a comparison, or before a set that is open: `coap.code ==`, `coap.code in {1`. */
const COMPARED = /([\w.]+)\s*(?:==|!=|<=|>=|<|>|\beq\b|\bne\b|\bin\s*\{[^}]*)\s*$/;
/** Greatest number of suggestions of fields. */
const MOST = 12;

/**
 * Completes the word at `caret`: behind a comparison the values of its field that begin with it, else the fields that
 * contain it, those that begin with it first. No suggestions in a string, nor for an empty word.
 */
export function complete(fields: readonly FieldView[], text: string, caret: number): Completion {
  const before = text.slice(0, caret);
  const word = WORD.exec(before)?.[0] ?? '';
  const from = caret - word.length;
  const to = caret + (/^[\w.]*/.exec(text.slice(caret))?.[0].length ?? 0);
  const low = word.toLowerCase();
  const compared = COMPARED.exec(text.slice(0, from))?.[1];
  const field = fields.find(({ name }) => name === compared);
  if (field) {
    const values = field.values.filter((value) => value.toLowerCase().startsWith(low) && value !== word);
    return { from, to, suggestions: values.map((value) => ({ text: value, about: field.name })) };
  }
  if (word === '' || inString(text.slice(0, from))) return { from, to, suggestions: [] };
  const rank = (name: string) => (name.startsWith(low) ? 0 : name.includes(`.${low}`) ? 1 : name.includes(low) ? 2 : 3);
  const found = fields.filter(({ name }) => rank(name) < 3 && name !== word);
  // Fields of packets come before those of the decode tree, each by name; sorting is stable.
  const ranked = [...found].sort((a, b) => rank(a.name) - rank(b.name));
  return { from, to, suggestions: ranked.slice(0, MOST).map(({ name, about }) => ({ text: name, about })) };
}

/** Whether a text ends inside a quoted string. */
function inString(before: string): boolean {
  return (before.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

/** Inserts a suggestion; returns the text and the position of the caret behind it. */
export function insert(
  text: string,
  { from, to }: Completion,
  suggestion: Suggestion,
): { text: string; caret: number } {
  return { text: text.slice(0, from) + suggestion.text + text.slice(to), caret: from + suggestion.text.length };
}
