// A radio log made for pictures that no bundled capture gives: a tree of many motes, each of which sends to its parent
// and seldom to another.

/** An IEEE 802.15.4 data frame between the extended addresses of two motes, without payload. */
function frame(sequence: number, from: number, to: number): Buffer {
  const address = (mote: number) => {
    const octets = Buffer.alloc(8);
    for (let at = 0; at < 8; at += 2) octets.writeUInt16LE(mote, at);
    return octets;
  };
  // Data, acknowledgement asked for, PAN ID compressed, both addresses extended.
  return Buffer.concat([
    Buffer.from([0x61, 0xdc, sequence & 0xff, 0xcd, 0xab]),
    address(to),
    address(from),
    Buffer.from([0x00]),
  ]);
}

/**
 * A radio log of Cooja of `motes` motes: each has at most five children and sends a frame to its parent about every
 * second for a minute; one frame in seven is lost.
 */
export function forest(motes: number): string {
  const draw = (n: number) => ((n * 2654435761) >>> 0) / 2 ** 32;
  const children = new Map<number, number>();
  const parents = [0, 0];
  for (let mote = 2; mote <= motes; mote += 1) {
    let parent = 1 + Math.floor(draw(mote) * (mote - 1));
    while ((children.get(parent) ?? 0) >= 5) parent = 1 + (parent % (mote - 1));
    children.set(parent, (children.get(parent) ?? 0) + 1);
    parents.push(parent);
  }
  const rows: [number, string][] = [];
  for (let mote = 2; mote <= motes; mote += 1) {
    for (let n = 0; n < 60; n += 1) {
      const which = mote * 61 + n;
      const to = n % 20 === 7 ? 1 + Math.floor(draw(which) * motes) : (parents[mote] ?? 1);
      if (to === mote) continue;
      const at = 1000 * n + Math.floor(draw(which + 7) * 900);
      const octets = frame(n, mote, to);
      const heard = draw(which + 3) < 1 / 7 ? '-' : String(to);
      rows.push([at, `${at}\t${mote}\t${heard}\t${octets.length}: 0x${octets.toString('hex').toUpperCase()}`]);
    }
  }
  rows.sort(([a], [b]) => a - b);
  return `${rows.map(([, row]) => row).join('\n')}\n`;
}
