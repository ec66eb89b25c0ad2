/**
 * The number of the option that an arrow key leads to from option `at` of `count`, in a ring; `at` is -1 where none is
 * active. Null for other keys.
 */
export function walk(key: string, at: number, count: number): number | null {
  const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return null;
  const from = at < 0 && by < 0 ? 0 : at;
  return (from + by + count) % Math.max(1, count);
}
