import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** One stored run of bytes. `name` is random, so nothing of a key ever reaches the file system. */
export type Blob = { name: string; size: number };

/**
 * Writes a blob and returns once it is on the disk. When the stream or the disk fails nothing is left.
 * A blob that no record names is garbage: a kill before the record is published leaves one, and the next
 * start sweeps it.
 */
export async function writeBlob(folder: string, chunks: AsyncIterable<Buffer>): Promise<Blob> {
  const name = randomUUID();
  const path = join(folder, name);
  let size = 0;
  try {
    const file = await open(path, 'wx');
    try {
      for await (const chunk of chunks) {
        // Unlike write(), writeFile() goes on until all of the chunk is written.
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

/** A second name for the same immutable bytes; a copy where the file system has no hard links. */
export async function duplicateBlob(folder: string, blob: Blob): Promise<Blob> {
  const name = randomUUID();
  const [from, to] = [join(folder, blob.name), join(folder, name)];
  try {
    await link(from, to);
  } catch {
    try {
      await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      const file = await open(to, 'r+');
      await file.sync().finally(() => file.close());
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    }
  }
  await syncFolder(folder);
  return { name, size: blob.size };
}

/** Replaces a small file whole: after a kill it is the old one or the new one. */
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

/** Makes renames and removals in a folder durable, where the platform lets a folder be opened. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}
