// Processor time of processes, from Linux' /proc: wall-clock time says little on a shared machine.
import { readdirSync, readFileSync } from 'node:fs';

/** A process of the machine. */
interface Process {
  pid: number;
  parent: number;
  /** Its part in a browser (`renderer`, `gpu-process`), else its name. */
  kind: string;
}

function read(pid: string): Process | undefined {
  try {
    const whole = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = whole.slice(whole.indexOf('(') + 1, whole.lastIndexOf(')'));
    // The first behind the name is field 3 of proc(5).
    const parent = Number(whole.slice(whole.lastIndexOf(')') + 2).split(' ')[4 - 3]);
    const part = /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
    return { pid: Number(pid), parent, kind: part ?? name };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

/** Processes at or below one of `roots` (process IDs). */
export function family(roots: readonly number[]): Process[] {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (read(pid) ?? []) : []));
  const known = new Map(all.map((process) => [process.pid, process]));
  const below = (process: Process | undefined): boolean =>
    process !== undefined && (roots.includes(process.pid) || below(known.get(process.parent)));
  return all.filter(below);
}

/**
 * Processor time that a thread has had, ms, exact to the nanosecond where the system keeps account; 0 where it has
 * ended.
 */
function timeOf(pid: number, thread: number): number {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/task/${String(thread)}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Processor time of all threads of `pids`, ms, by name; main threads are called `main thread`. */
export function threadsOf(pids: readonly number[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const pid of pids) {
    const folder = `/proc/${String(pid)}/task`;
    for (const thread of readdirSync(folder)) {
      let name = MAIN;
      try {
        // Workers are numbered.
        if (Number(thread) !== pid)
          name = readFileSync(`${folder}/${thread}/comm`, 'utf8')
            .trim()
            .replace(/[-:\d]+$/, '');
      } catch {
        continue;
      }
      times.set(name, (times.get(name) ?? 0) + timeOf(pid, Number(thread)));
    }
  }
  return times;
}

/**
 * Name of main threads, on which a page's script, style, layout and painting run; a software GL has threads of its own.
 */
export const MAIN = 'main thread';

/** Interval of samples of the main threads, ms. */
const LOOK_MS = 2;

/**
 * Samples the main threads of `pids` until it is stopped. The function that stopping returns gives the processor time,
 * ms, that they had had by a moment (ms since the Unix epoch).
 */
export function follow(pids: readonly number[]): () => (moment: number) => number {
  const looks: [moment: number, time: number][] = [];
  const look = () => {
    const time = pids.reduce((sum, pid) => sum + timeOf(pid, pid), 0);
    looks.push([performance.timeOrigin + performance.now(), time]);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    look();
    return (moment) => {
      const next = looks.findIndex(([at]) => at > moment);
      const [a, b] = [looks[next - 1] ?? looks.at(-1), looks[next] ?? looks.at(-1)];
      if (!a || !b) return NaN;
      return b[0] > a[0] ? a[1] + ((b[1] - a[1]) * (moment - a[0])) / (b[0] - a[0]) : a[1];
    };
  };
}

/** Most memory that a process has held, MiB (VmHWM of proc(5)). */
export function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}
