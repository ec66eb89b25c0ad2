// `npm run wireshark:install [-- --profile] [-- --uninstall]`: RTOscope's dissector, and with `--profile` a profile with
// columns, colours, filter buttons and graphs, in the personal folders of Wireshark. tshark says where these are.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, binary } from './env.mjs';
import { Stop, read } from './run.mjs';

const SOURCE = join(ROOT, 'wireshark');
const OPTIONS = ['--profile', '--uninstall'];

/** `tshark -G folders`: lines of a name, a colon, tabs or blanks, and a path. */
export function folders(text) {
  const lines = text.split(/\r?\n/).map((line) => line.match(/^([^:]+):\s+(.*)$/));
  return Object.fromEntries(lines.filter(Boolean).map(([, name, path]) => [name, path]));
}

export default function (args) {
  const unknown = args.filter((arg) => !OPTIONS.includes(arg));
  if (unknown.length > 0) throw new Stop(`What is ${unknown.join(' ')}? There are: ${OPTIONS.join(', ')}`);
  const text = read('tshark', ['-G', 'folders']);
  if (text === null)
    throw new Stop('tshark cannot be started: it comes with Wireshark, on Debian as the package tshark.');
  const { 'Personal Lua Plugins': lua, 'Personal configuration': configuration } = folders(text);
  if (!lua || !configuration) throw new Stop('tshark has no folder for personal Lua plugins: is it built with Lua?');
  const plugin = join(lua, 'rtoscope');
  const profile = join(configuration, 'profiles', 'RTOscope');
  if (args.includes('--uninstall')) uninstall(plugin, args.includes('--profile') ? profile : null);
  else install(plugin, args.includes('--profile') ? profile : null);
}

function install(plugin, profile) {
  // A file of an older version must not stay.
  rmSync(plugin, { recursive: true, force: true });
  cpSync(join(SOURCE, 'plugin'), plugin, { recursive: true });
  console.log(`The dissector is in ${plugin}`);
  if (!profile) return;
  mkdirSync(profile, { recursive: true });
  for (const name of readdirSync(join(SOURCE, 'profile'))) {
    const path = join(profile, name);
    // Wireshark keeps in these files what its user changes.
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

function uninstall(plugin, profile) {
  for (const path of [plugin, profile].filter(Boolean)) {
    console.log(existsSync(path) ? `Removed ${path}` : `${path} was not there.`);
    rmSync(path, { recursive: true, force: true });
  }
}
