// The tree of an installation: programs, desktop entry, icons, file types, licence, and Debian's control file.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT, RUST } from '../env.mjs';

/** Name of the desktop entry, the icons and the file types: the identifier in tauri.conf.json. */
export const APP = 'org.rtoscope.app';

/** Debian's names of architectures, by Node's. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
export const debName = (version) => `rtoscope_${version}_${ARCHITECTURES[process.arch]}.deb`;

const ICONS = [32, 128, 256, 512];

/** Captures have types of their own in shared-mime-info (pcap, pcapng); sessions get theirs from `mimeInfo`. */
const TYPES = ['application/vnd.tcpdump.pcap', 'application/x-pcapng', 'application/vnd.rtoscope.session+json'];

/** Text of the desktop entry (Desktop Entry Specification 1.5). */
export const desktopEntry = () => `[Desktop Entry]
Type=Application
Version=1.5
Name=RTOscope
GenericName=CoAP Retransmission Analyser
Comment=What would have happened with another retransmission timer?
Exec=rtoscope-app %F
Icon=${APP}
Terminal=false
Categories=Network;Science;
Keywords=CoAP;retransmission;RTO;pcap;Cooja;6LoWPAN;
MimeType=${TYPES.join(';')};
StartupNotify=true
StartupWMClass=rtoscope-app
`;

/**
 * Text of the file types (Shared MIME-info Database 0.22). The pcapng type is there for systems whose database lacks
 * it.
 */
export const mimeInfo = () => `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/vnd.rtoscope.session+json">
    <comment>RTOscope session</comment>
    <sub-class-of type="application/json"/>
    <icon name="${APP}"/>
    <glob pattern="*.rtoscope.json" weight="80"/>
  </mime-type>
  <mime-type type="application/x-pcapng">
    <comment>Packet capture (pcapng)</comment>
    <magic priority="50">
      <match type="big32" value="0x0a0d0d0a" offset="0"/>
    </magic>
    <glob pattern="*.pcapng"/>
  </mime-type>
</mime-info>
`;

/** Newest version of glibc whose symbols the program at this path names, such as `2.34`; null where it names none. */
export function glibc(program) {
  const minors = [...readFileSync(program, 'latin1').matchAll(/GLIBC_2\.(\d+)\b/g)].map(([, minor]) => Number(minor));
  return minors.length > 0 ? `2.${Math.max(...minors)}` : null;
}

/**
 * Text of the control file (Debian Policy 5.3). Its dependencies are the libraries of `readelf -d`, under their old and
 * new names.
 */
export const control = (version, kilobytes, libc) => `Package: rtoscope
Version: ${version}
Architecture: ${ARCHITECTURES[process.arch]}
Maintainer: The RTOscope authors <rtoscope@localhost>
Installed-Size: ${kilobytes}
Depends: libc6${libc ? ` (>= ${libc})` : ''}, libgcc-s1, libcairo2, libgdk-pixbuf-2.0-0, libglib2.0-0 | libglib2.0-0t64, libgtk-3-0 (>= 3.24) | libgtk-3-0t64, libsoup-3.0-0, libjavascriptcoregtk-4.1-0, libwebkit2gtk-4.1-0 (>= 2.46)
Suggests: wireshark
Section: net
Priority: optional
Description: what would have happened with another CoAP retransmission timer?
 RTOscope opens a Cooja radio log or an IEEE 802.15.4 capture, rebuilds every
 confirmable CoAP exchange copy by copy, and replays it through other published
 retransmission timers. It asks no network for anything.
`;

/**
 * Fills `root` with the tree of an installation.
 * @param {string} root
 * @param {{
 *   programs: { app: string, cli: string },
 *   shell: { bash: string, zsh: string, fish: string, man: Record<string, string> },
 *   version: string,
 *   control: boolean,
 * }} what `shell` are completions, and manual pages by name
 * @returns {string[]} the files, from the root
 */
export function stage(root, { programs, shell, version, control: debian }) {
  const files = [];
  const place = (path, mode, put) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    put(file);
    chmodSync(file, mode);
    files.push(path);
  };
  const copy = (path, from, mode = 0o644) => place(path, mode, (file) => copyFileSync(from, file));
  const write = (path, text) => place(path, 0o644, (file) => writeFileSync(file, text));

  copy('usr/bin/rtoscope-app', programs.app, 0o755);
  copy('usr/bin/rtoscope', programs.cli, 0o755);
  write(`usr/share/applications/${APP}.desktop`, desktopEntry());
  write(`usr/share/mime/packages/${APP}.xml`, mimeInfo());
  for (const size of ICONS) {
    copy(`usr/share/icons/hicolor/${size}x${size}/apps/${APP}.png`, join(RUST, 'icons', `${size}x${size}.png`));
  }
  copy(`usr/share/icons/hicolor/scalable/apps/${APP}.svg`, join(RUST, 'icons', 'icon.svg'));
  write('usr/share/bash-completion/completions/rtoscope', shell.bash);
  write('usr/share/zsh/vendor-completions/_rtoscope', shell.zsh);
  write('usr/share/fish/vendor_completions.d/rtoscope.fish', shell.fish);
  for (const [name, page] of Object.entries(shell.man)) {
    // Debian Policy 12.1; no time in it, so that equal pages are equal octets.
    write(`usr/share/man/man1/${name}.1.gz`, gzipSync(page, { level: 9 }));
  }
  write('usr/share/doc/rtoscope/copyright', readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  if (debian) {
    const octets = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
    const sums = files.map(
      (file) =>
        `${createHash('md5')
          .update(readFileSync(join(root, file)))
          .digest('hex')}  ${file}\n`,
    );
    write('DEBIAN/md5sums', sums.join(''));
    write('DEBIAN/control', control(version, Math.ceil(octets / 1024), glibc(programs.app)));
  }
  return files;
}

/**
 * Gives everything in `folder` one time, seconds since 1970, and folders one mode, so that no package tells when and by
 * whom it was built.
 */
export function settle(folder, seconds) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path, seconds);
    else if (entry.isFile()) utimesSync(path, seconds, seconds);
  }
  chmodSync(folder, 0o755);
  utimesSync(folder, seconds, seconds);
}
