// Set-up before `npm start` and `npm test`: Rust, node packages, system libraries. In a terminal it asks before it
// installs missing packages; without one, or with CI=true, it installs them. Where it may not, it prints the command
// and stops. When nothing is missing it takes a moment.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CI, ROOT, RUST } from './env.mjs';
import { BUILD } from './needs.mjs';
import { Stop, npm, onPath, read, run } from './run.mjs';
import { osRelease, plan } from './system.mjs';

/** Least version of Rust: major, minor. */
const RUST_AT_LEAST = [1, 90];

/**
 * @param {{ rust?: boolean, tests?: import('./needs.mjs').Need[] }} wanted
 * @returns {Promise<Map<string, string>>} unmet needs of tests, each with its reason
 */
export async function setup({ rust = true, tests = [] } = {}) {
  if (rust) checkRust();
  if (rust && process.platform === 'linux') await meet(BUILD, { must: true });
  await nodePackages();
  return process.platform === 'linux' ? meet(tests, { must: false }) : elsewhere(tests);
}

function checkRust() {
  const found = read('cargo', ['--version'], { cwd: RUST })?.match(/^cargo (\d+)\.(\d+)/);
  const [major, minor] = RUST_AT_LEAST;
  if (found && (Number(found[1]) > major || (Number(found[1]) === major && Number(found[2]) >= minor))) return;
  const here = found ? `this is ${found[0]}` : 'cargo was not found';
  const line = onPath('rustup')
    ? 'rustup update stable && rustup default stable'
    : "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y";
  throw new Stop(`RTOscope needs Rust ${major}.${minor} or newer; ${here}. Get it with\n\n  ${line}\n`);
}

/** Whether npm last installed the versions of the lock file. Optional packages are for other platforms. */
export function installed(lock, hidden) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.optional && !entry.peer)
    .every(([path, entry]) => entry.link || hidden.packages[path]?.version === entry.version);
}

/** Installs the node packages unless they are there; throws Stop where that fails. */
export async function nodePackages({ stdio = 'inherit' } = {}) {
  const json = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const hidden = 'node_modules/.package-lock.json';
  if (existsSync(join(ROOT, hidden)) && installed(json('package-lock.json'), json(hidden))) return;
  console.error('Installing node packages (npm ci): the page, its build and its tests.');
  const code = await run(...npm('ci', '--no-audit', '--no-fund', '--loglevel=error'), { cwd: ROOT, stdio });
  if (code !== 0) throw new Stop('npm ci failed; its message is above.');
}

/**
 * Installs missing needs, with consent. Unmet needs end the run with the command to type (`must`), or are returned with
 * their reasons.
 * @param {import('./needs.mjs').Need[]} needs
 * @param {{ must: boolean, machine?: object, consent?: () => Promise<boolean>, execute?: (argv: string[]) =>
 * Promise<number> }} how
 */
export async function meet(needs, { must, machine = thisMachine(), consent = mayInstall, execute = quietly }) {
  const missing = needs.filter((need) => !need.found());
  if (missing.length === 0) return new Map();
  const { install, why } = plan(missing, machine);

  if (install.length > 0) {
    console.log(`Missing on this machine${must ? '' : ' (only for tests)'}:\n${why.join('\n')}`);
    for (const { say } of install) console.log(`To install: ${say}`);
    for (const step of (await consent()) ? install : []) {
      console.log(`Installing: ${step.say}`);
      let code = await execute(step.argv);
      if (code !== 0 && step.refresh) {
        console.log('That failed; perhaps the package lists are old. Fetching them and trying again.');
        code = (await execute(step.refresh)) || (await execute(step.argv));
      }
      if (code !== 0) console.error(`That failed with exit code ${code}.`);
    }
  }
  const left = missing.filter((need) => !need.found());
  if (left.length === 0) return new Map();
  const still = plan(left, machine);
  if (must) throw new Stop(instructions(still, machine.system));
  return new Map(left.map((need) => [need.id, `${need.id} is missing; ${plan([need], machine).commands[0]}`]));
}

/**
 * Asks whether to install. Enter and "y" mean yes; "n", the end of input and Ctrl-C mean no. Without a terminal, or
 * with CI=true, the answer is yes: `npm test` sets up a fresh machine unattended.
 */
export async function mayInstall({ input = process.stdin, output = process.stdout, ci = CI } = {}) {
  if (ci || !input.isTTY || !output.isTTY) return true;
  const terminal = createInterface({ input, output });
  const answer = await new Promise((resolve) => {
    terminal.on('close', () => resolve('no\n'));
    terminal.question('Install now? [Y/n] ', resolve);
  });
  terminal.close();
  if (answer === 'no\n') output.write(answer); // the cursor is still behind the question
  return /^(y|yes)?$/i.test(answer.trim());
}

const quietly = ([command, ...args]) => run(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });

function instructions({ why, commands }, system) {
  const which = commands.length === 1 ? 'this command' : 'the line for your system';
  return [
    `RTOscope needs what is missing here (${system.name}):`,
    '',
    ...why,
    '',
    `Install it with ${which}, then run the same npm command again:`,
    '',
    ...commands.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function thisMachine() {
  const file = ['/etc/os-release', '/usr/lib/os-release'].find(existsSync);
  const root = process.getuid() === 0;
  return {
    system: osRelease(file ? readFileSync(file, 'utf8') : ''),
    root,
    sudo: !root && read('sudo', ['-n', 'true']) !== null,
    rustup: onPath('rustup') !== null,
    lists: haveLists('/var/lib/apt/lists'),
  };
}

/** Whether apt has package lists; container images come without. */
const haveLists = (directory) => existsSync(directory) && readdirSync(directory).some((n) => n.includes('_Packages'));

/**
 * Unmet needs with their reasons on Windows and macOS, which bring their own webview. Set-up installs nothing there.
 */
function elsewhere(tests) {
  const missing = tests.filter((need) => !need.found());
  return new Map(missing.map((need) => [need.id, `${need.id} is missing and set-up does not know this system`]));
}
