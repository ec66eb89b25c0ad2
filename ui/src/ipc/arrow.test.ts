import { columnFromArray, float64, nullType, tableFromColumns, tableToIPC, uint8, utf8 } from '@uwdata/flechette';
import { tableFromArrays, tableToIPC as write } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { decode, empty } from './arrow';

const MAP = { t0: 'f64', kind: 'u8', name: 'text' } as const;

function bytes() {
  const table = tableFromColumns([
    ['t0', columnFromArray([1.5, NaN, 3], float64())],
    ['kind', columnFromArray([0, 1, 255], uint8())],
    ['name', columnFromArray(['a', 'µ', ''], utf8())],
  ]);
  return tableToIPC(table, { format: 'stream' })!;
}

describe('decode', () => {
  it('gives typed arrays and strings', () => {
    const columns = decode(bytes(), MAP);
    expect(columns.length).toBe(3);
    expect(columns.t0).toBeInstanceOf(Float64Array);
    expect([...columns.t0]).toEqual([1.5, NaN, 3]);
    expect(columns.kind).toBeInstanceOf(Uint8Array);
    expect(columns.name).toEqual(['a', 'µ', '']);
  });
  it('reads what another writer wrote', () => {
    const table = tableFromArrays({ t0: Float64Array.from([1, 2]) });
    expect([...decode(write(table, 'stream'), { t0: 'f64' }).t0]).toEqual([1, 2]);
  });
  it('fills in columns of zeros, which cross without octets', () => {
    const table = tableFromColumns([
      ['t0', columnFromArray([1, 2, 3], float64())],
      ['kind', columnFromArray([null, null, null], nullType())],
    ]);
    const columns = decode(tableToIPC(table, { format: 'stream' })!, { t0: 'f64', kind: 'u8' });
    expect(columns.kind).toEqual(Uint8Array.of(0, 0, 0));
  });
  it('names a missing column', () => {
    expect(() => decode(bytes(), { rtt: 'f64' })).toThrow('“rtt”');
  });
  it('has an empty form', () => {
    expect(empty(MAP)).toMatchObject({ length: 0, name: [] });
  });
});
