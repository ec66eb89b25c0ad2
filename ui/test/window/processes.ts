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
}

function read(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    // The first behind the name is field 3 of proc(5).
    const field = (number: number) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[number - 3]);
    const part = /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
    return {
      pid: Number(pid),
      parent: field(4),
      kind: part ?? name,
      cpu: ((field(14) + field(15)) * 1000) / TICKS,
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

/** Processor time that processes of the `kinds` below `roots` have had, each kind in ms. */
export function cpuOf(roots: readonly number[], kinds: readonly string[]): number[] {
  const all = family(roots);
  return kinds.map((kind) => all.filter((one) => one.kind === kind).reduce((sum, { cpu }) => sum + cpu, 0));
}

/** Most memory a process has held, in MB. */
export function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}
