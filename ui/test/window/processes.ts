// What processes take, as Linux tells it: the time on the wall says little on a machine that others use too.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in `/proc/PID/stat` (USER_HZ, 100 on every architecture of Linux in use). */
const TICKS = 100;

interface Process {
  pid: number;
  parent: number;
  /** Its part in a browser (`renderer`, `gpu-process`), else its name. */
  kind: string;
  /** Processor time it has had, in ms. */
  cpu: number;
  /** That of its main thread, where a page's script, style, layout and painting are; a software GL has threads of its own. */
  main: number;
}

function read(pid: string): Process | undefined {
  try {
    const whole = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const first = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    const name = whole.slice(whole.indexOf('(') + 1, whole.lastIndexOf(')'));
    // The first behind the name is field 3 of proc(5).
    const field = (stat: string, number: number) =>
      Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[number - 3]);
    const time = (stat: string) => ((field(stat, 14) + field(stat, 15)) * 1000) / TICKS;
    const part = /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
    return {
      pid: Number(pid),
      parent: field(whole, 4),
      kind: part ?? name,
      cpu: time(whole),
      main: time(first),
    };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** Processes at or below one of `roots`. */
export function family(roots: readonly number[]): Process[] {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (read(pid) ?? []) : []));
  const known = new Map(all.map((process) => [process.pid, process]));
  const below = (process: Process | undefined): boolean =>
    process !== undefined && (roots.includes(process.pid) || below(known.get(process.parent)));
  return all.filter(below);
}

/** Processor time that processes of the `kinds` below `roots` have had, in ms: of each kind its main threads, then all of it. */
export function cpuOf(roots: readonly number[], kinds: readonly string[]): number[] {
  const all = family(roots);
  return kinds.flatMap((kind) => {
    const these = all.filter((one) => one.kind === kind);
    return [these.reduce((sum, { main }) => sum + main, 0), these.reduce((sum, { cpu }) => sum + cpu, 0)];
  });
}

/** Most memory a process has held, in MB. */
export function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}
