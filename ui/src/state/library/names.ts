// Names of files that tell them apart.

/** The part of a capture that its name depends on. */
export interface RunFile {
  /** Name of the file, or of the capture where it has none. */
  name: string;
  /** Path on disk; null for a bundled capture and for several files in one. */
  path: string | null;
}

/** Parts of a path, on any system. */
const parts = (path: string): string[] => path.split(/[\\/]/);

/** Name of a file without its endings. */
export const stemOf = (name: string): string => name.replace(/(\.(pcap|pcapng|cap|log|txt))?(\.gz)?$/, '');

/** Whether a path has the ending of a file that the window opens; others may be folders. */
export const isFileName = (path: string): boolean =>
  /\.(pcap|pcapng|cap|log|txt|psd|snif|dcf|gz|zst|json|html)$/i.test(path);

/** Path of the folder that a file or a folder lies in. */
export const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '');

/**
 * Ends of the paths, each with as many of its folders as no other path has: `default-seed1/radio.pcap`. Equal paths
 * stay equal.
 */
export function distinctNames(paths: readonly string[]): string[] {
  const ends = (path: string, count: number) => parts(path).slice(-count).join('/');
  return paths.map((path) => {
    const others = paths.filter((other) => other !== path);
    let count = 1;
    while (count < parts(path).length && others.some((other) => ends(other, count) === ends(path, count))) count += 1;
    return ends(path, count);
  });
}

/** Names that a file may have, the shortest first: `radio`, `seed1`, `seed1/radio`, `cocoa/seed1`, … */
function possibleNames({ name, path }: RunFile): string[] {
  const stem = stemOf(name);
  const folders = parts(path ?? '')
    .slice(0, -1)
    .filter((part) => part !== '');
  return [
    stem,
    ...folders.flatMap((_, above) => {
      const folder = folders.slice(folders.length - 1 - above).join('/');
      return [folder, `${folder}/${stem}`];
    }),
  ];
}

/**
 * Names of runs that tell them apart, in their order. Files of different names keep them without their endings. Those
 * of one name, as runs of a simulation have, are named by their folders, all as deep as the most alike of them need.
 * Equal paths stay equal.
 */
export function runNames(files: readonly RunFile[]): string[] {
  const runs = files.map((file) => ({ file, possible: possibleNames(file), name: '' }));
  const byStem = new Map<string, typeof runs>();
  for (const run of runs) {
    const stem = stemOf(run.file.name);
    byStem.set(stem, [...(byStem.get(stem) ?? []), run]);
  }
  for (const alike of byStem.values()) {
    const paths = new Set(alike.map(({ file }) => file.path)).size;
    const at = (depth: number) => alike.map(({ possible }) => possible[Math.min(depth, possible.length - 1)] ?? '');
    const deepest = Math.max(...alike.map(({ possible }) => possible.length));
    const telling = Array.from({ length: deepest }, (_, depth) => at(depth)).filter(
      (names) => new Set(names).size === paths,
    );
    // A folder may hold other captures: its name alone would be theirs, too.
    const others = paths === 1 ? [] : runs.filter((run) => !alike.includes(run));
    const taken = new Set(others.flatMap(({ possible }) => possible));
    const names = telling.find((tried) => !tried.some((name) => taken.has(name))) ?? telling[0] ?? at(0);
    alike.forEach((run, index) => (run.name = names[index] ?? ''));
  }
  return runs.map(({ name }) => name);
}
