import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Replaces a small file atomically: after a kill it has either the old text or the new. `temporary` is the folder for
 * its draft, named `*.part`. The rename is durable once `syncFolder` has returned.
 */
export async function replaceFile(temporary: string, path: string, text: string): Promise<void> {
  const draft = join(temporary, `${randomUUID()}.part`);
  try {
    const file = await open(draft, 'wx', 0o600);
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

/** Makes renames and removals in a folder durable, on platforms that can open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
