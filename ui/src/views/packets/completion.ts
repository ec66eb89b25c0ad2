// Completions of the word under the caret of a filter.
import type { FieldView } from '../../ipc/gen/types';

export interface Suggestion {
  /** Text that is inserted. */
  text: string;
  /** Its meaning. */
  about: string;
}

export interface Completion {
  /** The word to replace: from and to, in characters. */
  from: number;
  to: number;
  suggestions: readonly Suggestion[];
}

const WORD = /[\w.]*$/;
const COMPARED = /([\w.]+)\s*(?:==|!=|<=|>=|<|>|\beq\b|\bne\b|\bin\s*\{[^}]*)\s*$/;
const MOST = 12;

/** Fields that hold the word, those that begin with it first; behind a comparison, the values of its field. */
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

function inString(before: string): boolean {
  return (before.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

/** The text with the suggestion in it, and where the caret goes. */
export function insert(
  text: string,
  { from, to }: Completion,
  suggestion: Suggestion,
): { text: string; caret: number } {
  return { text: text.slice(0, from) + suggestion.text + text.slice(to), caret: from + suggestion.text.length };
}
