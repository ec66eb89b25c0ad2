// Plans for the installation of missing packages: steps and commands. Nothing is run here.

const MANAGERS = {
  apt: {
    systems: ['debian', 'ubuntu'],
    install: (sudo, names) =>
      `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names.join(' ')}`,
  },
  dnf: { systems: ['fedora', 'rhel'], install: (sudo, names) => `${sudo}dnf install -y ${names.join(' ')}` },
  pacman: { systems: ['arch'], install: (sudo, names) => `${sudo}pacman -S --needed ${names.join(' ')}` },
};

/** Identity of a system from the text of /etc/os-release: its ID, its name, and the IDs of its families. */
export function osRelease(text) {
  const field = (name) => text.match(new RegExp(`^${name}="?([^"\n]*)"?$`, 'm'))?.[1] ?? '';
  const id = field('ID');
  return { id, name: field('PRETTY_NAME') || id || 'this system', ids: [id, ...field('ID_LIKE').split(' ')] };
}

/** Name of the package manager of a system; null where its package names are not known. */
export function managerOf(system) {
  const known = system.ids.flatMap((id) => Object.keys(MANAGERS).filter((m) => MANAGERS[m].systems.includes(id)));
  return known[0] ?? null;
}

const isUbuntu = (system) => system.ids.includes('ubuntu');
const packages = (manager, needs) => [...new Set(needs.flatMap((need) => need[manager] ?? []))];

/**
 * Plan for missing needs: `install` (steps that can run without a password; empty where there are none), `why` (one
 * line per need), `commands` (lines for a person to type; one for each package manager where the system is unknown).
 *
 * @param {import('./needs.mjs').Need[]} missing
 * @param {{ system: ReturnType<typeof osRelease>, root: boolean, sudo: boolean, rustup: boolean, lists: boolean }}
 * machine
 */
export function plan(missing, machine) {
  const manager = managerOf(machine.system);
  const special = isUbuntu(machine.system) ? missing.filter((need) => need.ubuntu) : [];
  const components = missing.filter((need) => need.rustup);
  const packaged = missing.filter((need) => !need.rustup && !special.includes(need));

  const asked = machine.root ? '' : 'sudo ';
  const commands = [];
  if (packaged.length && manager) commands.push(MANAGERS[manager].install(asked, packages(manager, packaged)));
  if (packaged.length && !manager) {
    const each = Object.keys(MANAGERS).map((m) => [m, MANAGERS[m].install(asked, packages(m, packaged))]);
    commands.push(...each.map(([m, line]) => `${line}   # ${MANAGERS[m].systems.join(', ')}`));
  }
  commands.push(...special.map((need) => need.ubuntu.command.join(' ')));
  if (components.length) commands.push(`rustup component add ${components.map((need) => need.rustup).join(' ')}`);

  const mayInstall = manager === 'apt' && (machine.root || machine.sudo);
  const install = [];
  if (packaged.length && mayInstall) {
    const apt = [
      ...(machine.root ? [] : ['sudo', '-n']),
      // Packages must not ask questions of their own, as Wireshark does about capture rights, and needrestart.
      ...['env', 'DEBIAN_FRONTEND=noninteractive', 'NEEDRESTART_SUSPEND=1'],
      ...['apt-get', '-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300'],
    ];
    const names = packages('apt', packaged);
    const update = [...apt, 'update'];
    if (!machine.lists) install.push({ say: 'apt-get update', argv: update });
    install.push({
      say: `apt-get install --no-install-recommends ${names.join(' ')}`,
      argv: [...apt, 'install', '-y', '--no-install-recommends', ...names],
      refresh: machine.lists ? update : null,
    });
  }
  if (mayInstall) {
    install.push(...special.map((need) => ({ say: need.ubuntu.command.join(' '), argv: need.ubuntu.command })));
  }
  if (components.length && machine.rustup) {
    const names = components.map((need) => need.rustup);
    const argv = ['rustup', 'component', 'add', ...names];
    install.push({ say: argv.join(' '), argv });
  }

  const width = Math.max(0, ...missing.map((need) => need.id.length));
  const why = missing.map((need) => {
    const note = special.includes(need) ? ` (${need.ubuntu.note})` : '';
    return `  ${need.id.padEnd(width)}  ${need.why}${note}`;
  });
  return { install, why, commands };
}
