// A reader of PNG screenshots: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

/** A decoded picture; size in px. */
export interface Picture {
  width: number;
  height: number;
  /** Colours as 0xRRGGBB, row by row from the top. */
  pixels: Uint32Array;
}

/** Decodes a PNG. Throws where it is none, or of another kind. */
export function decode(png: Buffer): Picture {
  if (png.toString('latin1', 1, 4) !== 'PNG') throw new Error('not a PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, type, interlace] = [png.readUInt8(24), png.readUInt8(25), png.readUInt8(28)];
  if (depth !== 8 || (type !== 2 && type !== 6) || interlace !== 0) throw new Error('a kind of PNG we do not read');

  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const channels = type === 6 ? 4 : 3;
  const raw = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = raw.readUIntBE(i * channels, 3);
  return { width, height, pixels };
}

/**
 * Undoes the filters of scan lines, `stride` octets long: each octet was stored as its difference from a prediction
 * (PNG specification, section 9).
 */
function unfilter(lines: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  const at = (row: number, x: number) => (row < 0 || x < 0 ? 0 : (out[row * stride + x] ?? 0));
  for (let row = 0; row < height; row += 1) {
    const filter = lines[row * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [at(row, x - channels), at(row - 1, x), at(row - 1, x - channels)];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[row * stride + x] = (lines[row * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

/** Prediction of filter type 4, Paeth (PNG specification, section 9.4). */
function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/**
 * Number of distinct colours of a picture, and the share, 0 to 1, that the most common one covers. A blank window has
 * one colour.
 */
export function colours({ pixels }: Picture): { distinct: number; largest: number } {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return { distinct: counts.size, largest: Math.max(...counts.values()) / pixels.length };
}
