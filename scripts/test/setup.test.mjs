// Set-up asks before it installs, with machines and terminals that are simulated.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { mayInstall, meet } from '../setup.mjs';
import { osRelease } from '../system.mjs';

/** Answers the question in a simulated terminal; null closes the input, as Ctrl-D does. */
async function answer(text) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  // A stream that claims to be a terminal; readline sets its mode.
  Object.assign(input, { isTTY: true, setRawMode: () => input });
  Object.assign(output, { isTTY: true, columns: 80 });
  const result = mayInstall({ input, output, ci: false });
  if (text === null) input.end();
  else input.write(`${text}\n`);
  const granted = await result;
  assert.match(String(output.read()), /Install now\? \[Y\/n\]/);
  return granted;
}

test('in a terminal Enter, y and yes install', async () => {
  for (const text of ['', 'y', 'Y', 'yes']) assert.equal(await answer(text), true, text);
});

test('in a terminal n, any other word and the end of input do not install', async () => {
  for (const text of ['n', 'N', 'no', 'what', null]) assert.equal(await answer(text), false, String(text));
});

test('without a terminal, or in CI, nothing is asked', async () => {
  const [pipe, terminal] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  assert.equal(await mayInstall({ input: pipe, output: terminal, ci: false }), true);
  assert.equal(await mayInstall({ input: terminal, output: pipe, ci: false }), true);
  assert.equal(await mayInstall({ input: terminal, output: terminal, ci: true }), true);
  assert.equal(terminal.read(), null);
});

const DEBIAN = osRelease('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n');
const MACHINE = { system: DEBIAN, root: true, sudo: false, rustup: true, lists: true };

/** A need that is found once `state.installed` is true, and a runner that installs it and records its calls. */
function scene() {
  const state = { installed: false, calls: [], asked: 0 };
  const need = { id: 'thing', why: 'the thing that is needed', found: () => state.installed, apt: ['libthing-dev'] };
  const execute = async (argv) => {
    state.calls.push(argv);
    state.installed = true;
    return 0;
  };
  const consent = (granted) => async () => {
    state.asked += 1;
    return granted;
  };
  return { state, need, execute, consent };
}

test('with consent a missing package is installed', async () => {
  const { state, need, execute, consent } = scene();
  const unmet = await meet([need], { must: true, machine: MACHINE, consent: consent(true), execute });
  assert.equal(unmet.size, 0);
  assert.equal(state.calls.length, 1);
  assert.ok(state.calls[0].includes('libthing-dev'));
});

test('without consent nothing is installed and the command is named', async () => {
  const { state, need, execute, consent } = scene();
  const declined = { machine: MACHINE, consent: consent(false), execute };
  await assert.rejects(meet([need], { must: true, ...declined }), (error) => {
    assert.equal(error.name, 'Stop');
    assert.match(error.message, /apt-get install -y --no-install-recommends libthing-dev/);
    return true;
  });
  const unmet = await meet([need], { must: false, ...declined });
  assert.match(unmet.get('thing'), /apt-get install .*libthing-dev/);
  assert.deepEqual(state.calls, []);
});

test('nothing is asked where nothing is missing or nothing may be installed', async () => {
  const { state, need, execute, consent } = scene();
  const stranger = { ...MACHINE, root: false };
  const unmet = await meet([need], { must: false, machine: stranger, consent: consent(true), execute });
  assert.match(unmet.get('thing'), /sudo apt-get install .*libthing-dev/);
  state.installed = true;
  assert.equal((await meet([need], { must: true, machine: MACHINE, consent: consent(true), execute })).size, 0);
  assert.deepEqual([state.asked, state.calls], [0, []]);
});
