import { describe, expect, test } from 'vitest';
import { asked, entered, found } from './decode';

const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

describe('what is typed', () => {
  test('nothing is nothing asked', () => {
    expect(asked(entered(null)).decode).toEqual({
      fcs: 'auto',
      ports: [],
      rc_option: null,
      contexts: [],
      keys: [],
      addresses: [],
      unpack_ratio: null,
    });
  });

  test('lists are read line by line, and come back as they were', () => {
    const form = {
      ...entered(null),
      ports: '5683, 61616',
      contexts: ' 0=fd00::/64 \n\n1=2001:db8::/64',
      keys: `${KEY}:3`,
      addresses: '0x1234=00:12:74:00:01:02:03:04',
    };
    const { decode } = asked(form);
    expect(decode).toMatchObject({
      ports: [5683, 61616],
      contexts: ['0=fd00::/64', '1=2001:db8::/64'],
      keys: [`${KEY}:3`],
    });
    expect(asked(entered(decode)).decode).toEqual(decode);
  });

  test.each([
    ['ports', '70000'],
    ['rcOption', '-1'],
    ['contexts', 'fd00::/64'],
    ['addresses', '1234=00:12'],
    ['unpackRatio', '0'],
  ] as const)('%s as %j is refused', (key, text) => {
    const { decode, at, message } = asked({ ...entered(null), [key]: text });
    expect(decode).toBeNull();
    expect(at).toBe(key);
    expect(message).toMatch(/\w/);
  });

  test('a wrong key is named by its place, not its digits', () => {
    const { at, message } = asked({ ...entered(null), keys: `${KEY}\n${KEY.slice(2)}` });
    expect(at).toBe('keys');
    expect(message).toContain('Key 2');
    expect(message).not.toContain(KEY.slice(2));
  });
});

test('what was found is said beside what may be asked', () => {
  const said = found({
    links: ['IEEE 802.15.4'],
    fcs: 'auto',
    unpack_ratio: 250,
    sources: [
      { name: 'a', frames: 2, fcs: 'ti' },
      { name: 'b', frames: 1, fcs: 'ti' },
      { name: 'c', frames: 1, fcs: null },
    ],
    contexts: [{ id: 0, prefix: 'fd00::/64', how: 'rpl' }],
    ports: [5683],
    guessed: [{ port: 17_500, answered: 9 }],
    rc_option: 65_020,
    keys: 2,
    addresses: 0,
    files: [],
    clocks: [],
    duplicates: 0,
    comments: [],
    frame_comments: 0,
    names: 0,
    mote_log: null,
  });
  expect(said.fcs).toEqual(['Found: TI status (RSSI and correlation), 2 sources']);
  expect(said.ports).toBe('In use: 5683; 17500 found (9 requests acknowledged)');
  expect(said.contexts).toBe('In force: 0 = fd00::/64, the prefix that RPL announces');
  expect(said.keys).toBe('2 in use; kept in memory only');
});
