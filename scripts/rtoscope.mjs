// `npm run -s rtoscope -- ARGS`: runs the command line, built first where it is missing or older than its sources.
// Standard output and exit code are the program's own; the build prints to standard error. Needs Rust only; reports,
// and figures of studies as pages, also need the page that they are written into, and with it the node packages.
import { spawn } from 'node:child_process';
import { ENV, RUST, binary, cargoBuild, typedIn } from './env.mjs';
import { buildPage } from './page.mjs';
import { Stop, exitCode, onPath, run } from './run.mjs';
import { nodePackages } from './setup.mjs';

export default async function (args) {
  const isPage = args[0] === 'study' && args.some((word) => /\bhtml?$/i.test(word));
  if (args[0] === 'report' || isPage) {
    await nodePackages({ stdio: ['ignore', 2, 2] });
    await buildPage({ stdio: ['ignore', 2, 2] });
  }
  const code = await build('rtoscope');
  if (code !== 0) return code;
  return run(binary('rtoscope'), args, { cwd: typedIn('rtoscope') });
}

/**
 * Builds a program of the workspace and resolves to cargo's exit code; throws Stop without cargo. Where all is up to
 * date it prints nothing.
 */
export function build(bin) {
  if (!onPath('cargo')) throw new Stop('RTOscope needs Rust to build its command line: https://rustup.rs');
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
