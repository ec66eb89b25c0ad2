import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPTIONS, align } from '../align.mjs';
import { aligned } from '../clocks.mjs';
import { WITHOUT_FCS, WITH_FCS, convert, hasFcs, pcap } from '../convert.mjs';
import { contexts, decodeAs } from '../ours.mjs';
import { page } from '../page.mjs';
import { explain } from '../proofs.mjs';
import { arranged } from '../rewrite.mjs';
import { inputs, key, open, row, store } from '../rows.mjs';
import { sniffers } from '../theirs.mjs';

const MESSAGE = {
  frame: 7,
  type: 'CON',
  code: '0.01',
  mid: 1,
  token: 'a0',
  src: 'fd00::1',
  src_port: 5683,
  dst: 'fd00::2',
  dst_port: 40000,
  payload_len: 3,
  time: 1.5,
};

test('equal readings have no differences, and every value counts', () => {
  const { compared, equal, differences } = align([MESSAGE], [{ ...MESSAGE, time: '1.500000000' }]);
  assert.deepEqual([compared, equal, differences], [10, 10, []]);
});

test('a value that differs is named with both sides', () => {
  const [difference, ...more] = align([MESSAGE], [{ ...MESSAGE, token: '' }]).differences;
  assert.deepEqual(more, []);
  assert.deepEqual([difference.frame, difference.field, difference.ours, difference.theirs], [7, 'token', 'a0', '']);
});

test('a message that only one side has is one difference, and pairs none of the others wrongly', () => {
  const other = { ...MESSAGE, mid: 2 };
  const { differences } = align([other], [MESSAGE, other]);
  assert.equal(differences.length, 1);
  assert.equal(differences[0].row.ours, undefined);
  assert.equal(differences[0].row.theirs.mid, 1);
  assert.equal(align([{ ...MESSAGE, frame: 8 }], [MESSAGE]).differences.length, 2);
});

// An acknowledgement as Contiki-NG (with its FCS) and Contiki 3.0 (without) put it in a log.
const NEW_ACK = '66437\t2\t1,3\t5: 0x02000131 A4\n';
const OLD_ACK = '85666\t2\t-\t3: 0x020049\n';

test('a Cooja log becomes a pcap whose link type says whether there are check sequences', () => {
  assert.ok(hasFcs(Buffer.from('02000131a4', 'hex')));
  for (const [text, linkType, length] of [
    [NEW_ACK, WITH_FCS, 5],
    [OLD_ACK, WITHOUT_FCS, 3],
  ]) {
    const { octets } = convert(Buffer.from(text));
    assert.equal(octets.readUInt32LE(20), linkType);
    assert.equal(octets.readUInt32LE(32), length);
    assert.equal(
      octets.subarray(40).toString('hex'),
      text
        .match(/0x(.*)/)[1]
        .replaceAll(' ', '')
        .toLowerCase(),
    );
  }
  assert.equal(Number(convert(Buffer.from(NEW_ACK)).octets.readUInt32LE(24)), 66);
});

test('a TI Packet Sniffer record gives its frame and its time', () => {
  const record = Buffer.alloc(151);
  record[0] = 3;
  record.writeUInt32LE(1, 1);
  record.writeBigUInt64LE(64n * 1_000_000n, 5);
  record.writeUInt16LE(6, 13);
  record[15] = 5;
  Buffer.from('020001e0eb', 'hex').copy(record, 16);
  const { octets } = convert(record);
  assert.equal(octets.readUInt32LE(24), 2);
  assert.equal(octets.subarray(40).toString('hex'), '020001e0eb');
  record[13] = 9;
  assert.equal(convert(record), null);
});

test('base64 is undone only where a capture is in it', () => {
  const empty = Buffer.concat([Buffer.from('d4c3b2a1', 'hex'), Buffer.alloc(24)]);
  assert.deepEqual(convert(Buffer.from(empty.toString('base64'))).octets, empty);
  assert.equal(convert(Buffer.from('c29tZSBvdGhlciB0ZXh0IGluIGJhc2U2NCBvbmx5')), null);
});

test('tshark gets the contexts and the ports that we found', () => {
  const notes = [{ first_text: 'context 3 is taken to be fd00:1::/64, the prefix that RPL announces' }];
  assert.deepEqual(contexts(notes), ['-o', '6lowpan.context3:fd00:1::/64']);
  const on = (src_port, dst_port) => ({ ...MESSAGE, src_port, dst_port });
  assert.deepEqual(decodeAs([on(5683, 9000), on(40001, 17500), on(17500, 40002)]), ['-d', 'udp.port==17500,coap']);
});

test('sniffers are taken apart only where more than one heard fragments', () => {
  const row = (device, size) => ({ 'frame.interface_id': [], 'zep.device_id': [device], '6lowpan.frag.size': size });
  assert.deepEqual(sniffers([row('1', ['100']), row('2', ['100'])]), ['zep.device_id==1', 'zep.device_id==2']);
  assert.deepEqual(sniffers([row('1', ['100']), row('2', [])]), []);
});

test('a rule without a proof that holds explains nothing', () => {
  const [difference] = align([], [{ ...MESSAGE, malformed: false, protocols: 'eth:ip:icmp:ip:udp:coap' }]).differences;
  const rule = (kind) => ({ id: kind, sides: ['tshark'], proof: { kind } });
  assert.equal(explain(difference, {}, [rule('malformed')]), null);
  assert.equal(explain(difference, {}, [rule('reliable')]), null);
  assert.equal(explain(difference, {}, [rule('malformed'), rule('quoted')]).id, 'quoted');
  assert.equal(explain(difference, { sha256: 'b' }, [{ ...rule('quoted'), sha256: 'a' }]), null);
  assert.equal(explain(difference, {}, [{ ...rule('quoted'), frames: [8, 9] }]), null);
  assert.equal(explain(difference, {}, [{ ...rule('quoted'), sides: ['ours'] }]), null);
});

test('fragments are stale when more than 60 s apart, and only with a bad checksum', () => {
  const [difference] = align([], [MESSAGE]).differences;
  const rule = { id: 'stale', sides: ['tshark'], proof: { kind: 'stale' } };
  const explained = (seconds, checksum) => {
    const pieces = [
      [1, { at: 0, key: 'a', joined: [] }],
      [7, { at: seconds, key: 'a', joined: [1, 7], checksum }],
    ];
    return explain(difference, { made: new Map([['fragments', new Map(pieces)]]) }, [rule]) !== null;
  };
  assert.ok(explained(61, '0'));
  assert.ok(!explained(61, '1'));
  assert.ok(!explained(59, '0'));
});

test('a cut record is explained by what tshark says of it when it is filled up', () => {
  const [difference] = align([{ ...MESSAGE, payload_len: 103 }], [{ ...MESSAGE, payload_len: 0 }]).differences;
  const rule = { id: 'cut', sides: ['field'], fields: ['payload_len'], proof: { kind: 'cut' } };
  const explained = (message) => explain(difference, { made: new Map([['padded', [message]]]) }, [rule]) !== null;
  assert.ok(explained({ ...MESSAGE, payload_len: 103 }));
  assert.ok(!explained({ ...MESSAGE, payload_len: 102 }));
  assert.ok(!explained({ ...MESSAGE, payload_len: 103, frame: 8 }));
});

test('records are filled up to their length on the wire and put in order', () => {
  const frames = [
    { us: 1, octets: Buffer.from('0102', 'hex') },
    { us: 2, octets: Buffer.from('03', 'hex') },
  ];
  const file = pcap(frames, WITHOUT_FCS);
  file.writeUInt32LE(4, 24 + 12);
  const whole = [
    { us: 2, octets: Buffer.from('03', 'hex') },
    { us: 1, octets: Buffer.from('01020000', 'hex') },
  ];
  assert.deepEqual(arranged(file, [9, 5]), pcap(whole, WITHOUT_FCS));
});

// Two sniffers heard the same twenty frames; the clock of b shows 0.25 s more and gains 1 ms per frame's second.
const heard = (sniffer, number, at) => [number, { sniffer, at, same: `frame ${number % 100}` }];
const BOTH = Array.from({ length: 20 }, (_, i) => [heard('a', i, i), heard('b', 100 + i, i + 0.25 + i / 1000)]).flat();
const TWO_CLOCKS = {
  notes: [{ first_text: 'the clock of sniffer b was 0.250 s apart from that of sniffer a and gained 1000000 ppb' }],
  made: new Map([['zep', new Map([...BOTH, heard('b', 150, 10.5 + 0.25 + 0.0105)])]]),
};

test('the time of a sniffer is brought to the clock of another by the frames around it that both heard', () => {
  assert.ok(Math.abs(aligned(TWO_CLOCKS, 150) - 10.5) < 0.001);
  assert.ok(Math.abs(aligned(TWO_CLOCKS, 3) - 3) < 1e-9);
  assert.equal(aligned({ ...TWO_CLOCKS, notes: [], made: new Map([['zep', new Map(BOTH)]]) }, 103), undefined);
  const rule = { id: 'clock', sides: ['field'], fields: ['time'], proof: { kind: 'otherClock' } };
  const explained = (ours) => explain({ frame: 110, field: 'time', ours, row: {} }, TWO_CLOCKS, [rule]) !== null;
  assert.ok(explained(10.00005));
  assert.ok(!explained(10.0002));
  assert.ok(!explained(10.26));
});

test('a lost second is explained where another sniffer heard the transmission at our time', () => {
  const rule = { id: 'carry', sides: ['field'], fields: ['time'], proof: { kind: 'lostCarry' } };
  // The clock of b shows 0.25 s more: what a heard at 20.75 it heard at 21, and wrote 20.
  const explained = (said, ours, heardByA = 20.75) => {
    const both = Array.from({ length: 20 }, (_, i) => [heard('a', i, i), heard('b', 100 + i, i + 0.25)]).flat();
    const odd = [heard('a', 50, heardByA), heard('b', 150, said)];
    const subject = { ...TWO_CLOCKS, made: new Map([['zep', new Map([...both, ...odd])]]) };
    return explain({ frame: 150, field: 'time', ours, row: {} }, subject, [rule]) !== null;
  };
  assert.ok(explained(20, 20.75));
  assert.ok(!explained(20, 20.752));
  assert.ok(!explained(20.25, 21));
  assert.ok(!explained(20, 20.75, 20.7));
});

/** The difference of one option field, with the options that tshark lists. */
const optionField = (ours, theirs, desc, length) => ({
  frame: 7,
  field: 'coap.opt',
  ours,
  theirs,
  row: { ours: MESSAGE, theirs: { ...MESSAGE, 'coap.opt.desc': desc, 'coap.opt.length': length } },
});

test('a difference in an option is explained only by the option that tshark misreads', () => {
  const holds = (kind, difference) =>
    explain(difference, {}, [{ id: kind, sides: ['field'], proof: { kind } }])?.id === kind;
  const accept = 'Type 11, Critical, Unsafe;Type 17, Critical, Safe';
  assert.ok(holds('emptyAccept', optionField('text/plain', '(null)', accept, '4;0')));
  assert.ok(!holds('emptyAccept', optionField('text/plain', '(null)', accept, '0;1')));
  const sizes = 'Type 23, Critical, Unsafe;Type 28, Elective, Safe, NoCacheKey';
  assert.ok(holds('sizeAsBlock', optionField('3', '3;2', sizes, '1;1')));
  assert.ok(!holds('sizeAsBlock', optionField('4', '3;2', sizes, '1;1')));
  assert.ok(!holds('sizeAsBlock', optionField('3', '3;2', 'Type 23, Critical, Unsafe', '1')));
  const request = { ...optionField('', '4413', '', ''), row: { ours: { ...MESSAGE, options: ['13', '4413'] } } };
  assert.ok(holds('named', request));
  assert.ok(!holds('named', { ...request, theirs: '4413;55' }));
  assert.ok(holds('tooLong', optionField('28548184522059375', '4294967295', '', '')));
  assert.ok(!holds('tooLong', optionField('7', '4294967295', '', '')));
});

test('values that no registry names are one value in two spellings', () => {
  const option = (value) => [{ ...MESSAGE, options: [], 'coap.opt.ctype': value }];
  const bare = (messages) => messages.map((m) => ({ ...Object.fromEntries(OPTIONS.map((name) => [name, ''])), ...m }));
  const differ = (a, b) => align(bare(option(a)), bare(option(b))).differences.length;
  assert.equal(differ('content-format 70', 'Unknown Type 70'), 0);
  assert.equal(differ('content-format 70', 'Unknown Type 71'), 1);
  assert.equal(differ('', '<MISSING>'), 0);
});

/** A capture of two messages, of which tshark has one: the other is explained by `rule`, or by none. */
const result = (rule) => {
  const aligned = align([MESSAGE, { ...MESSAGE, frame: 8 }], [MESSAGE]);
  for (const difference of aligned.differences) difference.rule = rule;
  return {
    name: 'a/b.pcap',
    encapsulation: 'wpan',
    frames: 9,
    ours: { format: 'pcap', frames: 9, messages: [MESSAGE, MESSAGE], seconds: 0.5 },
    theirs: { messages: [MESSAGE], seconds: 2, merged: null },
    aligned,
    dissected: 2,
    how: [],
    sibling: null,
  };
};
const RULE = { id: 'why', class: 'tshark is wrong', reason: 'because', proof: { kind: 'shown' } };

test('a row has the numbers of its capture, and the page says what is open and what is still to come', () => {
  const text = (rule, more) =>
    page({ results: [row(result(rule))], unread: [], rules: [RULE], versions: ['x'], ...more });
  assert.deepEqual(open(row(result(RULE))), []);
  assert.equal(open(row(result(null))).length, 1);
  assert.match(
    text(RULE),
    /\| a\/b.pcap \| pcap \| wpan \| {2}\| 9 \| 9 \| 1 \| 2 \| 11 \| 10 \| 1 \| 0 \| 2.00 \| 0.50 \| 4 \|/,
  );
  assert.match(text(RULE), /\| 8 \| message \| .* \| – \| tshark is wrong \(why\) \|/);
  assert.match(text(null), /\*\*open\*\*/);
  assert.doesNotMatch(text(RULE), /Unfinished|were kept/);
  assert.match(text(RULE, { left: 3, reused: 1 }), /Unfinished: 3 files.*\n\n1 rows were kept/);
});

test('rows of an interrupted run are found again, except an unfinished line', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-rows-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'rows');
  const first = { result: row(result(RULE)) };
  store(path).put('first', first);
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, '{"key":"sec');
  const again = store(path);
  assert.deepEqual([...again.stored], [['first', JSON.parse(JSON.stringify(first))]]);
  assert.equal(readFileSync(path, 'utf8'), whole);
  again.put('second', { unread: { name: 'c', why: 'no' } });
  assert.deepEqual([...store(path).stored.keys()], ['first', 'second']);
  assert.equal(
    page({ results: [again.stored.get('first').result], unread: [], rules: [RULE], versions: ['x'] }),
    page({ results: [first.result], unread: [], rules: [RULE], versions: ['x'] }),
  );
});

test('the key of a row changes with its capture, the capture beside it, and the programs', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-rows-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [file, beside, program] = ['radiolog.txt.gz', 'radio.pcap.gz', 'program'].map((name) => join(folder, name));
  writeFileSync(file, 'log');
  writeFileSync(program, 'one');
  const subject = { file, name: 'run/radiolog.txt.gz' };
  const keys = [key(subject, inputs(program, '4.0.17'))];
  const add = () => keys.push(key(subject, inputs(program, '4.0.17')));
  add();
  assert.equal(keys[0], keys.pop());
  keys.push(key(subject, inputs(program, '4.4.18')));
  writeFileSync(beside, 'capture');
  add();
  writeFileSync(beside, 'another');
  add();
  writeFileSync(program, 'two');
  add();
  writeFileSync(file, 'log 2');
  add();
  assert.equal(new Set(keys).size, keys.length);
});
