import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

/**
 * How a player turns and mirrors a track: a, b, c, and d of its matrix (ISO/IEC 14496-12, 8.3.2), where a point (x, y) is
 * shown at (ax + cy, bx + dy).
 */
export type DisplayMatrix = readonly [a: number, b: number, c: number, d: number];

/** The places of a, b, c, and d among the nine numbers of a matrix. */
const PLACES = [0, 1, 3, 4];
/** A number is 16.16 bits. */
const ONE = 0x10000;

/** Returns where the matrix of a file's first track starts, which is that of its picture in what ffmpeg writes. */
const matrixAt = (bytes: Buffer) => bytes.indexOf('tkhd') + 44;

/** Writes a copy of an MP4 or QuickTime file with another matrix. ffmpeg's option for it differs between versions. */
export async function writeWithMatrix(from: string, matrix: DisplayMatrix, to: string): Promise<void> {
  const bytes = await readFile(from);
  for (const [index, place] of PLACES.entries()) {
    bytes.writeInt32BE((matrix[index] ?? 0) * ONE, matrixAt(bytes) + place * 4);
  }
  await writeFile(to, bytes);
}

/** Returns the matrix of the picture in a file that ffmpeg has written. */
export function readMatrix(path: string): number[] {
  const bytes = readFileSync(path);
  return PLACES.map((place) => bytes.readInt32BE(matrixAt(bytes) + place * 4) / ONE);
}
