import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { cached, encode } from '@/test/media/encode';

/** Encodes half a second of a silent picture, with metadata. Different metadata make different files. */
const encodeClip = (metadata: Record<string, string>) => (path: string) =>
  encode(
    [
      ...['-f', 'lavfi', '-t', '0.5', '-i', 'color=c=teal:size=160x90:rate=10'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
      ...Object.entries(metadata).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
    ],
    path,
  );

/** Returns a short video with the time in UTC at which its header says that it was recorded. */
export const recordedClip = async (recordedAt: string): Promise<Buffer> =>
  readFile(
    await cached(
      `recorded ${recordedAt.replaceAll(':', '-')}.mp4`,
      encodeClip({ creation_time: recordedAt }),
    ),
  );

/** Returns a short video whose header says nothing about when it was recorded, and that differs by its number. */
export async function undatedClip(number: number): Promise<Buffer> {
  const clip = await readFile(await cached('undated.mp4', encodeClip({})));
  const note = Buffer.from(String(number).padStart(8, '0'));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(header.length + note.length);
  // A `free` box at the end is ignored by every reader (ISO/IEC 14496-12, 8.1.2).
  header.write('free', 4);
  return Buffer.concat([clip, header, note]);
}

/** Writes files, by their paths, into a folder. */
export async function writeFolder(folder: string, files: Record<string, Buffer | string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** Chooses a folder, as by the picker of a browser without handles. */
export const chooseFolder = (page: Page, folder: string) =>
  page.locator('input[aria-label="Folder to import"]').setInputFiles(folder);
