// The dissector in tshark, on captures made here and on the bundled ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ETHERNET, IEEE802154_NO_FCS, IEEE802154_WITH_FCS, coap, ethernet, lowpan, pcap } from './frames.mjs';
import { HERE, PLUGIN, folder, rows, tshark } from './tshark.mjs';

function capture(link, frames) {
  const path = join(folder, 'capture.pcap');
  writeFileSync(path, pcap(link, frames));
  return path;
}

const RC = 65020;
const FIELDS = ['frame.number', 'coap.rc.count', 'coap.rc.exchange', 'coap.rc.copy', 'coap.rc.rtt', 'coap.rc.wasted'];
const request = (count) => coap({ options: [[11, [0x73]], ...(count === undefined ? [] : [[RC, [count]]])] });
const answer = (count) => coap({ type: 2, code: 0x44, options: count === undefined ? [] : [[RC, [count]]] });

test('parser and tracker pass in the Lua of this tshark', () => {
  const empty = capture(ETHERNET, []);
  const output = tshark(['-X', `lua_script:${join(HERE, 'core.lua')}`, '-r', empty]);
  const failed = output.split('\n').filter((line) => line.startsWith('not ok'));
  assert.deepEqual(failed, []);
  assert.match(output, /^1\.\.2\d\d$/m);
});

// Wireshark 4.0 and 4.2 have Lua 5.2, 4.4 and newer 5.4; nothing in between, but what runs in both runs there.
test('every installed Lua gives the same results, and every file compiles', (t) => {
  const files = ['plugin', 'test'].flatMap((name) => {
    const lua = readdirSync(join(HERE, '..', name)).filter((file) => file.endsWith('.lua'));
    return lua.map((file) => join(HERE, '..', name, file));
  });
  const found = ['5.2', '5.3', '5.4'].filter((version) => {
    const run = spawnSync(`lua${version}`, [join(HERE, 'core.lua')], { encoding: 'utf8' });
    if (run.error) return false;
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /^1\.\.2\d\d$/m, version);
    assert.doesNotMatch(run.stdout, /^not ok/m, version);
    for (const file of files) {
      const program = `assert(loadfile(${JSON.stringify(file)}))`;
      const loaded = spawnSync(`lua${version}`, ['-e', program], { encoding: 'utf8' });
      assert.equal(loaded.status, 0, loaded.stderr);
    }
    return true;
  });
  if (found.length === 0) return t.skip('needs optional: Lua beside tshark');
  return t.diagnostic(`Lua ${found.join(', ')}`);
});

// The original, two copies, and the answer to the first of these: 4.5 s after it, while 6.5 s after the original.
const STORY = [
  [0, request(), false],
  [2_000, request(1), false],
  [6_000, request(2), false],
  [6_500, answer(1), true],
  [6_600, answer(1), true],
];
const EXPECTED = ['1||1|1||', '2|1|1|2||', '3|2|1|3||', '4|1|1|2|4.500000000|1', '5|1|1|2||'];

for (const pass of [[], ['-2'], ['-2', '-R', 'frame']]) {
  const how = pass.join(' ') || 'in one pass';
  test(`exact round trips on Ethernet, ${how}`, () => {
    const path = capture(
      ETHERNET,
      STORY.map(([at, message, back]) => ({ at, octets: ethernet(message, { back }) })),
    );
    assert.deepEqual(rows(path, FIELDS, { more: pass }), EXPECTED);
  });

  for (const withFcs of [true, false])
    test(`on 802.15.4 ${withFcs ? 'with' : 'without'} FCS, ${how}`, () => {
      const frames = STORY.flatMap(([at, message, back], index) =>
        lowpan(message, { back, seq: index, withFcs }).map((octets) => ({ at, octets })),
      );
      const path = capture(withFcs ? IEEE802154_WITH_FCS : IEEE802154_NO_FCS, frames);
      assert.deepEqual(rows(path, FIELDS, { more: pass }), EXPECTED);
    });

  test(`in 6LoWPAN fragments, ${how}`, () => {
    const payload = Array(150).fill(0x2e);
    const long = (count) => coap({ options: count === undefined ? [] : [[RC, [count]]], payload });
    const frames = [
      ...lowpan(long(), { room: 96, tag: 1, seq: 1 }),
      ...lowpan(long(1), { room: 96, tag: 2, seq: 11 }),
      ...lowpan(answer(1), { back: true, seq: 21 }),
    ].map((octets, index) => ({ at: index * 100, octets }));
    assert.equal(frames.length, 7);
    const path = capture(IEEE802154_WITH_FCS, frames);
    assert.deepEqual(rows(path, FIELDS, { more: pass }), ['3||1|1||', '6|1|1|2||', '7|1|1|2|0.100000000|0']);
  });

  test(`link-layer retries and hops are no copies, ${how}`, () => {
    const path = capture(IEEE802154_WITH_FCS, [
      { at: 0, octets: lowpan(request(), { seq: 5, via: [1, 9] })[0] },
      { at: 4, octets: lowpan(request(), { seq: 5, via: [1, 9] })[0] },
      { at: 9, octets: lowpan(request(), { seq: 80, via: [9, 2] })[0] },
      { at: 40, octets: lowpan(answer(), { back: true, seq: 90, via: [2, 9] })[0] },
      { at: 50, octets: lowpan(answer(), { back: true, seq: 81, via: [9, 1] })[0] },
    ]);
    const fields = ['frame.number', 'coap.rc.exchange', 'coap.rc.copy', 'coap.rc.again', 'coap.rc.rtt'];
    const expected = ['1|1|1||', '2|1|1|1|', '3|1|1|1|', '4|1||1|', '5|1|1||0.050000000'];
    assert.deepEqual(rows(path, fields, { more: pass }), expected);
  });
}

test('a display filter changes nothing', () => {
  const path = capture(
    ETHERNET,
    STORY.map(([at, message, back]) => ({ at, octets: ethernet(message, { back }) })),
  );
  assert.deepEqual(rows(path, FIELDS, { filter: 'coap.rc.rtt > 4' }), [EXPECTED[3]]);
  assert.deepEqual(rows(path, ['frame.number'], { filter: 'coap.rc.needless', more: ['-2'] }), ['3']);
});

test('the protocol can be filtered for', () => {
  const path = capture(
    ETHERNET,
    STORY.map(([at, message, back]) => ({ at, octets: ethernet(message, { back }) })),
  );
  assert.deepEqual(rows(path, ['frame.number'], { filter: 'coap_rc' }), ['1', '2', '3', '4', '5']);
});

test('the first copy learns its answer with two passes', () => {
  const path = capture(
    ETHERNET,
    STORY.map(([at, message, back]) => ({ at, octets: ethernet(message, { back }) })),
  );
  const fields = ['frame.number', 'coap.rc.response_in', 'coap.rc.request_in'];
  assert.deepEqual(rows(path, fields, { more: ['-2'] }), ['1|4|', '2|4|', '3|4|', '4||2', '5||2']);
});

test('on ports of Decode As and of the preference', () => {
  const frames = STORY.map(([at, message, back]) => ({ at, octets: ethernet(message, { back, server: 7777 }) }));
  const path = capture(ETHERNET, frames);
  assert.deepEqual(rows(path, FIELDS), []);
  assert.deepEqual(rows(path, FIELDS, { more: ['-d', 'udp.port==7777,coap'] }), EXPECTED);
  assert.deepEqual(rows(path, FIELDS, { more: ['-o', 'coap_rc.ports:7777'] }), EXPECTED);
});

test('with another option number', () => {
  const message = (code, type, count) => coap({ code, type, options: [[65002, [count]]] });
  const path = capture(ETHERNET, [
    { at: 0, octets: ethernet(message(3, 0, 1)) },
    { at: 30, octets: ethernet(message(0x44, 2, 1), { back: true }) },
  ]);
  assert.deepEqual(rows(path, FIELDS), ['1||1|1||', '2||1|1|0.030000000|0']);
  const fields = [...FIELDS, 'coap.rc.unsafe', 'coap.rc.nocachekey'];
  assert.deepEqual(rows(path, fields, { more: ['-o', 'coap_rc.option:65002'] }), [
    '1|1|1|2|||1|0',
    '2|1|1|2|0.030000000|0|1|0',
  ]);
});

test('Observe and Block beside it', () => {
  const block = [23, [0x0e]];
  const path = capture(ETHERNET, [
    { at: 0, octets: ethernet(coap({ code: 1, token: [7], options: [[6, []], [11, [0x73]], block, [RC, [1]]] })) },
    { at: 20, octets: ethernet(coap({ type: 2, code: 0x45, token: [7], options: [[6, [1]], block, [RC, [1]]], payload: [1] }), { back: true }) },
    { at: 900, octets: ethernet(coap({ code: 0x45, mid: 9, token: [7], options: [[6, [2]], block], payload: [1] }), { back: true }) },
    { at: 925, octets: ethernet(coap({ type: 2, code: 0, mid: 9 })) },
  ]); // prettier-ignore
  assert.deepEqual(rows(path, FIELDS), ['1|1|1|2||', '2|1|1|2|0.020000000|0', '3||1|||', '4||2|1|0.025000000|0']);
});

const EXPERTS = [
  ['on_empty', [0x40, 0, 0x12, 0x34, 0xe1, 0xfc, 0xef, 1]],
  [
    'repeated',
    coap({
      options: [
        [RC, [1]],
        [RC, [2]],
      ],
    }),
  ],
  ['long', coap({ options: [[RC, [1, 2]]] })],
  ['on_original', request(2)],
  ['damaged', [...request(1), 0x1f]],
];
for (const [name, message] of EXPERTS)
  test(`expert information ${name}`, () => {
    const path = capture(ETHERNET, [{ at: 0, octets: ethernet(message) }]);
    assert.deepEqual(rows(path, ['frame.number'], { filter: `coap.rc.${name}` }), ['1']);
  });

const SEQUENCES = {
  spurious: [STORY[0], STORY[1], STORY[2], STORY[3]],
  mismatch: [STORY[0], STORY[1], [2_500, answer(7), true]],
  no_echo: [STORY[0], STORY[1], [2_500, answer(), true]],
  same_count: [STORY[0], STORY[1], [6_000, request(1), false]],
  backward: [STORY[2], STORY[1]].map(([, message], index) => [index * 2_000, message, false]),
};
for (const [name, story] of Object.entries(SEQUENCES))
  test(`expert information ${name}`, () => {
    const path = capture(
      ETHERNET,
      story.map(([at, message, back]) => ({ at, octets: ethernet(message, { back }) })),
    );
    assert.deepEqual(rows(path, ['frame.number'], { filter: `coap.rc.${name}` }), [String(story.length)]);
    const fine = capture(ETHERNET, [
      { at: 0, octets: ethernet(request()) },
      { at: 9, octets: ethernet(answer(), { back: true }) },
    ]);
    assert.deepEqual(rows(fine, ['frame.number'], { filter: `coap.rc.${name}` }), []);
  });

test('two thousand damaged messages raise no Lua error', () => {
  // A linear congruential generator (Numerical Recipes): the same damage in every run.
  let state = 1;
  const draw = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
  const whole = coap({
    token: [1, 2],
    options: [
      [11, [0x73]],
      [RC, [1]],
      [65_100, [9]],
    ],
    payload: [1, 2, 3],
  });
  const frames = Array.from({ length: 2_000 }, (_, at) => {
    const octets = whole.slice(0, draw(whole.length + 1));
    for (let hits = draw(3); hits > 0 && octets.length > 0; hits -= 1) octets[draw(octets.length)] = draw(256);
    return { at, octets: ethernet(octets) };
  });
  const path = capture(ETHERNET, frames);
  for (const pass of [[], ['-2']]) tshark([...PLUGIN, '-r', path, ...pass, '-V']);
});
