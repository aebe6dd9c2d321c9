import { readFile } from 'node:fs/promises';

/** Reads a file of 16-bit samples as numbers from -1 to 1. */
export async function readSamples(file: string): Promise<Float32Array> {
  const bytes = await readFile(file);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = bytes.readInt16LE(index * 2) / 32_768;
  return samples;
}
