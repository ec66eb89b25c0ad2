// `npm run bundle`: builds a .deb, and an AppImage where its tool is installed. Packages are made from our own staged
// tree (stage.mjs), since Tauri's bundler downloads its tools when it first runs. One commit, built in one folder by
// one toolchain, gives the same octets each time: times are those of the commit (SOURCE_DATE_EPOCH,
// reproducible-builds.org), and nothing else comes in.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ENV, ROOT, RUST, TARGET, binary, cargoBuild } from '../env.mjs';
import { APP, ARCHITECTURES, debName, settle, stage } from './stage.mjs';
import { built } from './built.mjs';
import { buildPage } from '../page.mjs';
import { Stop, onPath, read, run } from '../run.mjs';
import { setup } from '../setup.mjs';

const OUT = join(TARGET, 'bundle');

export default async function () {
  if (process.platform !== 'linux') throw new Stop(elsewhere());
  if (!ARCHITECTURES[process.arch]) throw new Stop(`There is no package for ${process.arch} machines.`);
  await setup();
  await buildPage();
  const { commit, seconds } = built();
  if (!commit) console.error('The tree has changes, or no commit: `rtoscope --version` says so.');
  ENV.SOURCE_DATE_EPOCH = String(seconds);
  if (commit) ENV.RTOSCOPE_COMMIT = commit;
  const code = await run('cargo', cargoBuild('rtoscope-app', 'rtoscope'), { cwd: RUST });
  if (code !== 0) throw new Stop('The programs could not be built; the message is above.');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const programs = { app: binary('rtoscope-app'), cli: binary('rtoscope') };
  mkdirSync(OUT, { recursive: true });
  const what = { programs, shell: shell(programs.cli), version };
  const made = [await deb(what, seconds), await appImage(what, seconds)].filter(Boolean);
  if (made.length === 0) return 1;
  console.log(`\nMade:\n${made.map((path) => `  ${path}`).join('\n')}`);
  return 0;
}

/** Completions and the manual page, as the program `cli` prints them; throws Stop where it fails. */
function shell(cli) {
  const ask = (...words) => {
    const text = read(cli, words);
    if (text === null) throw new Stop(`rtoscope ${words.join(' ')} failed.`);
    return `${text}\n`;
  };
  const [bash, zsh, fish] = ['bash', 'zsh', 'fish'].map((name) => ask('completions', name));
  return { bash, zsh, fish, man: { rtoscope: ask('man') } };
}

async function deb({ version, ...what }, seconds) {
  if (!onPath('dpkg-deb')) {
    console.error('No .deb: dpkg-deb is not on this machine (package dpkg).');
    return null;
  }
  const root = join(OUT, 'deb');
  rmSync(root, { recursive: true, force: true });
  stage(root, { ...what, version, control: true });
  settle(root, seconds);
  const file = join(OUT, debName(version));
  const code = await run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file]);
  if (code !== 0) throw new Stop('dpkg-deb failed; its message is above.');
  return file;
}

/**
 * Builds an AppImage with `appimagetool`, which brings the runtime; resolves to its path, or to null without the tool.
 * `seconds` is the time of all files.
 */
async function appImage({ version, ...what }, seconds) {
  const tool = onPath('appimagetool');
  if (!tool) {
    console.error(
      'No AppImage: appimagetool is not on this machine. Put it on the PATH (https://github.com/AppImage/appimagetool)\n' +
        'and run `npm run bundle` again. WebKitGTK stays a dependency of the system, as for the .deb.',
    );
    return null;
  }
  const root = join(OUT, 'RTOscope.AppDir');
  rmSync(root, { recursive: true, force: true });
  stage(root, { ...what, version, control: false });
  symlinkSync('usr/bin/rtoscope-app', join(root, 'AppRun'));
  for (const [from, to] of [
    [`usr/share/applications/${APP}.desktop`, `${APP}.desktop`],
    [`usr/share/icons/hicolor/256x256/apps/${APP}.png`, `${APP}.png`],
  ]) {
    if (!existsSync(join(root, to))) symlinkSync(from, join(root, to));
  }
  settle(root, seconds);
  const file = join(OUT, `RTOscope-${version}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.AppImage`);
  const code = await run(tool, ['--no-appstream', root, file]);
  if (code !== 0) throw new Stop('appimagetool failed; its message is above.');
  return file;
}

const elsewhere = () =>
  'Packages are made on Linux. On macOS and Windows the app is built and started by `npm start`; an installer is made with\n' +
  'Tauri’s own bundler, which downloads its tools (see docs/building.md):\n\n' +
  '  npx @tauri-apps/cli build --bundles dmg    (macOS)\n  npx @tauri-apps/cli build --bundles nsis   (Windows)\n';
