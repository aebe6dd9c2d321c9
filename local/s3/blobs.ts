import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../durable-files';

/** Stored bytes. `name` is random, so keys never reach the file system. */
export type Blob = { name: string; size: number };

/**
 * Writes a blob and returns once it's on disk. Leaves nothing if the stream or the disk fails. If the process is killed
 * before it publishes the record, the next start deletes the blob.
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
