import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Throws if a running server uses this folder, because starting deletes blobs without a record, and those could
 * belong to an upload in progress. The server is recognized by the instance it sends in `x-amz-id-2`, because its
 * process id may have been reused.
 */
export async function assertNotServed(dir: string): Promise<void> {
  let owner: { url: string; instance: string };
  try {
    owner = JSON.parse(await readFile(join(dir, 'server.json'), 'utf8'));
  } catch {
    return;
  }
  const instance = await fetch(owner.url, { method: 'HEAD', signal: AbortSignal.timeout(2000) }).then(
    (response) => response.headers.get('x-amz-id-2'),
    () => undefined,
  );
  if (instance === owner.instance) throw new Error(`${dir} is already served at ${owner.url}`);
}

/** Marks the folder as served. Returns a function that removes the mark. */
export async function markServed(dir: string, url: string, instance: string): Promise<() => Promise<void>> {
  const path = join(dir, 'server.json');
  await writeFile(path, JSON.stringify({ url, instance }));
  return () => rm(path, { force: true });
}
