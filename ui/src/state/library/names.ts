// Names of files that tell them apart.

/** Parts of a path, on any system. */
const parts = (path: string): string[] => path.split(/[\\/]/);

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
