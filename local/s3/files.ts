import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Stored bytes. `name` is random, so no part of a key reaches the file system. */
export type Blob = { name: string; size: number };

/**
 * Writes a blob and returns once it's on the disk; leaves nothing when the stream or the disk fails. A process that
 * is killed before it publishes the record leaves a blob that no record names, which the next start deletes.
 */
export async function writeBlob(folder: string, chunks: AsyncIterable<Buffer>): Promise<Blob> {
  const name = randomUUID();
  const path = join(folder, name);
  let size = 0;
  try {
    const file = await open(path, 'wx');
    try {
      for await (const chunk of chunks) {
        // Unlike write(), writeFile() continues until the whole chunk is written.
        await file.writeFile(chunk);
        size += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(folder);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { name, size };
}

/** Replaces a small file atomically: after a kill it holds the old text or the new. */
export async function replaceFile(temporary: string, path: string, text: string): Promise<void> {
  const draft = join(temporary, randomUUID());
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes renames and removals in a folder durable, on platforms that can open a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
