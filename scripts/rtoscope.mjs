// `npm run -s rtoscope -- ARGS`: the release CLI, built when missing or older than its sources. Standard output and the
// exit code are the CLI's own; the build, when there is one, speaks on standard error. Needs Rust and nothing else; only
// `report` needs the page that reports are written into, which needs the node packages.
import { spawn } from 'node:child_process';
import { ENV, RUST, binary, cargoBuild, typedIn } from './env.mjs';
import { buildPage } from './page.mjs';
import { Stop, exitCode, onPath, run } from './run.mjs';
import { nodePackages } from './setup.mjs';

export default async function (args) {
  if (!onPath('cargo')) throw new Stop('RTOscope needs Rust to build its command line: https://rustup.rs');
  if (args[0] === 'report') {
    await nodePackages({ stdio: ['ignore', 2, 2] });
    await buildPage({ stdio: ['ignore', 2, 2] });
  }
  const code = await buildQuietly('rtoscope');
  if (code !== 0) return code;
  return run(binary('rtoscope'), args, { cwd: typedIn('rtoscope') });
}

/** cargo decides what is fresh. Its closing "Finished" line is only passed on after it has done something. */
export function buildQuietly(bin) {
  return new Promise((resolve, reject) => {
    const colour = process.stderr.isTTY ? 'always' : 'never';
    const cargo = spawn('cargo', ['--color', colour, ...cargoBuild(bin)], {
      cwd: RUST,
      env: ENV,
      stdio: ['ignore', 2, 'pipe'],
    });
    let worked = false;
    cargo.stderr.setEncoding('utf8').on('data', (text) => {
      worked ||= !/^\S*\s*\S*Finished/.test(text);
      if (worked) process.stderr.write(text);
    });
    cargo.on('error', reject).on('close', (code, signal) => resolve(exitCode(code, signal)));
  });
}
