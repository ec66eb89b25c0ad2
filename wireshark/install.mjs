// `npm run wireshark:install [-- --user] [-- --profile] [-- --extcap] [-- --uninstall]`: installs the dissector into
// Wireshark's personal folders, which `tshark -G folders` lists. `--profile` adds a profile with columns, colours,
// filter buttons and graphs; `--extcap` adds the interfaces "RTOscope replay" and "RTOscope sniffer". `--user` is the
// default.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binary } from '../scripts/env.mjs';
import { Stop, read } from '../scripts/run.mjs';

const SOURCE = import.meta.dirname;
/** Options of the command. */
const OPTIONS = ['--user', '--profile', '--extcap', '--uninstall'];
const WINDOWS = process.platform === 'win32';

/** Parses `tshark -G folders`, lines of a name, a colon, blanks and a path: paths by name. */
export function folders(text) {
  const lines = text.split(/\r?\n/).map((line) => line.match(/^([^:]+):\s+(.*)$/));
  return Object.fromEntries(lines.filter(Boolean).map(([, name, path]) => [name, path]));
}

/**
 * Installs or removes the dissector. Throws Stop for an unknown option, and where tshark or its folders are missing.
 */
export default function (args) {
  const unknown = args.filter((arg) => !OPTIONS.includes(arg));
  if (unknown.length > 0) throw new Stop(`Unknown option ${unknown.join(' ')}. There are: ${OPTIONS.join(', ')}`);
  const text = read('tshark', ['-G', 'folders']);
  if (text === null)
    throw new Stop('tshark cannot be started: it comes with Wireshark, on Debian as the package tshark.');
  const found = folders(text);
  const { 'Personal Lua Plugins': lua, 'Personal configuration': configuration } = found;
  if (!lua || !configuration) throw new Stop('tshark has no folder for personal Lua plugins: is it built with Lua?');
  const plugin = join(lua, 'rtoscope');
  const profile = join(configuration, 'profiles', 'RTOscope');
  // Wireshark 4.0 looks in its configuration folder and does not list the path.
  const extcap = found['Personal Extcap path'] ?? join(configuration, 'extcap');
  const launcher = join(extcap, WINDOWS ? 'rtoscope.bat' : 'rtoscope');
  const [withProfile, withExtcap] = ['--profile', '--extcap'].map((option) => args.includes(option));
  if (args.includes('--uninstall')) {
    uninstall(plugin, withProfile ? profile : null, withExtcap ? launcher : null);
    return;
  }
  install(plugin, withProfile ? profile : null);
  if (withExtcap) launch(launcher);
}

/**
 * Writes the launcher for extcap: Wireshark starts each program in the folder with arguments, before which it adds
 * `extcap`.
 */
function launch(launcher) {
  const program = binary('rtoscope');
  if (!existsSync(program))
    throw new Stop(`${program} does not exist yet. Build it once with: npm run rtoscope -- --version`);
  mkdirSync(dirname(launcher), { recursive: true });
  const quoted = `'${program.replaceAll("'", "'\\''")}'`;
  const script = WINDOWS ? `@"${program}" extcap %*\r\n` : `#!/bin/sh\nexec ${quoted} extcap "$@"\n`;
  writeFileSync(launcher, script);
  chmodSync(launcher, 0o755);
  console.log(`The interface "RTOscope replay" is in ${launcher}`);
}

/** Copies the plugin, and the profile where one is given; files of the profile that exist stay as they are. */
function install(plugin, profile) {
  // Files of an older version must not stay behind.
  rmSync(plugin, { recursive: true, force: true });
  cpSync(join(SOURCE, 'plugin'), plugin, { recursive: true });
  console.log(`The dissector is in ${plugin}`);
  if (!profile) return;
  mkdirSync(profile, { recursive: true });
  for (const name of readdirSync(join(SOURCE, 'profile'))) {
    const path = join(profile, name);
    // Wireshark writes the user's changes to these files.
    if (existsSync(path)) {
      console.log(`${path} is there already and stays as it is.`);
      continue;
    }
    const program =
      name === 'preferences' ? `\n# What Tools > CoAP RTO starts.\ncoap_rc.program: ${binary('rtoscope-app')}\n` : '';
    writeFileSync(path, readFileSync(join(SOURCE, 'profile', name), 'utf8') + program);
  }
  console.log(
    `The profile is in ${profile}: choose RTOscope in Edit > Configuration Profiles, or wireshark -C RTOscope`,
  );
}

/** Removes paths; null is passed over. */
function uninstall(...paths) {
  for (const path of paths.filter(Boolean)) {
    console.log(existsSync(path) ? `Removed ${path}` : `${path} was not there.`);
    rmSync(path, { recursive: true, force: true });
  }
}
