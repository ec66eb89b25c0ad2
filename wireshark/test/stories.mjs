// Captures made by hand for golden.test.mjs, each for one behaviour: name -> link type, frames, options to read them.
import {
  ETHERNET,
  IEEE802154_NO_FCS,
  IEEE802154_WITH_FCS,
  acknowledgement,
  coap,
  ethernet,
  lowpan,
} from './frames.mjs';
import * as dtls from './dtls.mjs';

const RC = 65020;
const PATH = [11, [0x73]];
const counted = (count) => (count === undefined ? [] : [[RC, count === null ? [] : [count]]]);
const request = (count, more = {}) => coap({ options: [PATH, ...counted(count)], ...more });
const answer = (count, more = {}) => coap({ type: 2, code: 0x44, options: counted(count), ...more });
const empty = (type, mid) => coap({ type, code: 0, mid });

// The original, two copies, and the answer to the first of these: 4.5 s after it, while 6.5 s after the original.
const LATE = [
  [0, request(), false],
  [2_000, request(1), false],
  [6_000, request(2), false],
  [6_500, answer(1), true],
  [6_600, answer(1), true],
];
const wired = (story, how = {}) =>
  story.map(([at, message, back]) => ({ at, octets: ethernet(message, { back, ...how }) }));
const radio = (story, withFcs) => story.map(([at, message, back], seq) => ({ at, octets: lowpan(message, { back, seq, withFcs })[0] })); // prettier-ignore
const pieces = (list) => list.flatMap(([at, message, how]) => lowpan(message, { room: 96, ...how }).map((octets, index) => ({ at: at + 10 * index, octets }))); // prettier-ignore
const long = (count, code) => request(count, { payload: Array(150).fill(0x2e), ...(code && { type: 2, code, options: counted(count) }) }); // prettier-ignore

// One kind of malformed octet after the other (RFC 7252 sections 3, 3.1 and 4.1).
const HEAD = [0x40, 3, 0x12];
const malformed = [
  [0x40, 3, 0x12],
  [0x80, 3, 0x12, 1],
  [0x49, 3, 0x12, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0x42, 3, 0x12, 3, 0xaa],
  [0x60, 0, 0x12, 4, 0xb1, 0x73],
  [...HEAD, 5, 0xb2, 0x73],
  [...HEAD, 6, 0xd1],
  [...HEAD, 7, 0xe1, 0xfc],
  [...HEAD, 8, 0xf1, 0x73],
  [...HEAD, 9, 0x1f, 0x73],
  [...HEAD, 10, 0xe0, 0xfe, 0xf2, 0x10, 0x10],
  [...HEAD, 11, 0xff],
  // The option itself: cut off, of two to five octets, twice, on an empty message, and damage behind it.
  [...HEAD, 12, 0xe1, 0xfc, 0xef],
  ...[2, 3, 4, 5].map((length) => [...HEAD, 12 + length, 0xe0 | length, 0xfc, 0xef, ...Array(length).fill(1)]),
  [...HEAD, 18, 0xe1, 0xfc, 0xef, 1, 0x01, 2],
  [0x40, 0, 0x12, 19, 0xe1, 0xfc, 0xef, 1],
  [...HEAD, 20, 0xe1, 0xfc, 0xef, 1, 0x1f],
].map((octets, at) => [at * 1_000, octets, false]);

const block = [23, [0x0e]];
const observed = [
  [0, coap({ code: 1, token: [7], options: [[6, []], PATH, block, [RC, [1]]] }), false],
  [20, coap({ type: 2, code: 0x45, token: [7], options: [[6, [1]], block, [RC, [1]]], payload: [1] }), true],
  [900, coap({ code: 0x45, mid: 9, token: [7], options: [[6, [2]], block], payload: [1] }), true],
  [925, empty(2, 9), false],
];

export const STORIES = {
  ethernet: { link: ETHERNET, frames: wired(LATE) },
  '802.15.4': { link: IEEE802154_WITH_FCS, frames: radio(LATE, true) },
  '802.15.4-without-fcs': { link: IEEE802154_NO_FCS, frames: radio(LATE, false) },
  fragments: {
    link: IEEE802154_WITH_FCS,
    frames: pieces([
      [0, long(), { tag: 1, seq: 1 }],
      [2_000, long(1), { tag: 2, seq: 11 }],
      [2_300, long(1, 0x45), { tag: 3, seq: 21, back: true }],
    ]),
  },
  hops: {
    link: IEEE802154_WITH_FCS,
    frames: [
      { at: 0, octets: lowpan(request(), { seq: 5, via: [1, 9] })[0] },
      { at: 4, octets: lowpan(request(), { seq: 5, via: [1, 9] })[0] },
      { at: 5, octets: acknowledgement(5) },
      { at: 9, octets: lowpan(request(), { seq: 80, via: [9, 2] })[0] },
      { at: 40, octets: lowpan(answer(), { back: true, seq: 90, via: [2, 9] })[0] },
      { at: 50, octets: lowpan(answer(), { back: true, seq: 81, via: [9, 1] })[0] },
      { at: 60, octets: lowpan(answer(), { back: true, seq: 81, via: [9, 1] })[0] },
      { at: 61, octets: acknowledgement(81) },
    ],
  },
  'decode-as': { link: ETHERNET, frames: wired(LATE, { server: 7_777 }), more: ['-d', 'udp.port==7777,coap'] },
  'port-of-the-preference': {
    link: ETHERNET,
    frames: wired(LATE, { server: 7_777 }),
    more: ['-o', 'coap_rc.ports:7777'],
  },
  'another-number': {
    link: ETHERNET,
    frames: wired([
      [0, coap({ options: [PATH, [65_002, [1]]] }), false],
      [30, coap({ type: 2, code: 0x44, options: [[65_002, [1]]] }), true],
    ]),
    more: ['-o', 'coap_rc.option:65002'],
  },
  dtls: {
    link: ETHERNET,
    frames: dtls.DATAGRAMS.map(([back, hex], index) => ({
      at: 100 * index,
      octets: ethernet(Buffer.from(hex, 'hex'), { back, server: 5684 }),
    })),
    more: ['-o', `dtls.psk:${dtls.KEY}`],
  },
  // The first original asks whether the server echoes; later ones carry the empty value.
  fasor: {
    link: ETHERNET,
    frames: wired([
      [0, request(255), false],
      [90, answer(255), true],
      [1_000, request(null, { mid: 2 }), false],
      [1_100, answer(null, { mid: 2 }), true],
      [3_000, request(null, { mid: 3 }), false],
      [5_000, request(1, { mid: 3 }), false],
      [5_200, answer(null, { mid: 3 }), true],
    ]),
  },
  'observe-and-block': { link: ETHERNET, frames: wired(observed) },
  // Two requests with empty tokens; a separate response, whose acknowledgement comes twice; a ping; another separate
  // response, sent again before it is acknowledged.
  'no-tokens': {
    link: ETHERNET,
    frames: wired([
      [0, request(), false],
      [50, empty(2, 0x1234), true],
      [900, coap({ code: 0x45, mid: 0x7777 }), true],
      [950, empty(2, 0x7777), false],
      [955, empty(2, 0x7777), false],
      [2_000, request(undefined, { mid: 0x1235 }), false],
      [2_080, answer(undefined, { mid: 0x1235 }), true],
      [2_090, answer(undefined, { mid: 0x1235 }), true],
      [3_000, empty(0, 5), false],
      [3_030, empty(3, 5), true],
      [4_000, request(undefined, { mid: 0x1236 }), false],
      [4_100, empty(2, 0x1236), true],
      [5_000, coap({ code: 0x45, mid: 0x7778 }), true],
      [7_100, coap({ code: 0x45, mid: 0x7778 }), true],
      [7_200, empty(2, 0x7778), false],
    ]),
  },
  // Two copies without a count and one answer: Karn's ambiguity. Then three more: no sample for CoCoA either.
  'without-the-option': {
    link: ETHERNET,
    frames: wired([
      [0, request(), false],
      [2_000, request(), false],
      [2_300, answer(), true],
      ...[10_000, 12_000, 16_000, 24_000].map((at) => [at, request(undefined, { mid: 7 }), false]),
      [24_500, answer(undefined, { mid: 7 }), true],
    ]),
  },
  malformed: { link: ETHERNET, frames: wired(malformed) },
  // Wrong counts of a client or server: an echo that fits no copy, no echo, the same count twice, a lower count.
  sequences: {
    link: ETHERNET,
    frames: wired([
      [0, request(undefined, { mid: 1 }), false],
      [2_000, request(1, { mid: 1 }), false],
      [2_100, answer(undefined, { mid: 1 }), true],
      [10_000, request(2, { mid: 2 }), false],
      [12_000, request(1, { mid: 2 }), false],
      [20_000, request(undefined, { mid: 3 }), false],
      [22_000, request(1, { mid: 3 }), false],
      [26_000, request(1, { mid: 3 }), false],
      [30_000, request(undefined, { mid: 4 }), false],
      [32_000, request(1, { mid: 4 }), false],
      [32_100, answer(7, { mid: 4 }), true],
    ]),
  },
};
