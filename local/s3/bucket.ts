import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, syncFolder } from '../durable-files';
import { type Blob, writeBlob } from './blobs';
import { S3Error } from './errors';
import { keyedLock } from './keyed-lock';
import { openUploads, type Uploads } from './uploads';

/** An object's record. `etag` has no quotes, and `modified` is an ISO time in whole seconds. */
export type ObjectRecord = {
  key: string;
  size: number;
  etag: string;
  modified: string;
  /** Headers that GET returns, with lowercase names. */
  headers: Record<string, string>;
  blobs: Blob[];
  /** The multipart upload that created it. */
  uploadId?: string;
};

export type Bucket = {
  uploads: Uploads;
  find(key: string): ObjectRecord | undefined;
  /** Returns the record and keeps its bytes until `release`, even when it's replaced or deleted meanwhile. */
  acquire(key: string): { record: ObjectRecord; release: () => void };
  /** Returns every key, sorted. */
  keys(): string[];
  receive(chunks: AsyncIterable<Buffer>): Promise<Blob>;
  read(record: ObjectRecord, first: number, last: number): AsyncGenerator<Buffer>;
  discard(blobs: readonly Blob[]): Promise<void>;
  /**
   * Makes an object visible, atomically and durably. If it throws, the blobs are deleted, except those of a multipart
   * upload.
   */
  publish(record: ObjectRecord): Promise<void>;
  delete(key: string): Promise<void>;
};

type ObjectHandle = { record: ObjectRecord; readers: number; retired: boolean };

/**
 * Opens a bucket's folder: `blobs/` with bytes under random names, `objects/` with one record per key,
 * named by the key's SHA-256, `uploads/` and `temporary/`. A record names its blobs, and an object changes only when
 * a record is renamed into place. Records are indexed in memory, so only one process may have the folder open.
 * Deletes what a killed process left behind.
 */
export async function openBucket(folder: string): Promise<Bucket> {
  const [blobFolder, objectFolder, temporary] = ['blobs', 'objects', 'temporary'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  await mkdir(blobFolder, { recursive: true });
  await mkdir(objectFolder, { recursive: true });

  const objects = new Map<string, ObjectHandle>();
  for (const name of await readdir(objectFolder)) {
    const record = JSON.parse(await readFile(join(objectFolder, name), 'utf8')) as ObjectRecord;
    objects.set(record.key, { record, readers: 0, retired: false });
  }
  const completed = new Set([...objects.values()].map(({ record }) => record.uploadId));
  const uploads = await openUploads(join(folder, 'uploads'), {
    temporary,
    isCompleted: (id) => completed.has(id),
    discard,
  });
  const named = new Set([...objects.values()].flatMap(({ record }) => record.blobs.map((blob) => blob.name)));
  for (const blob of uploads.blobs()) named.add(blob.name);
  for (const name of await readdir(blobFolder)) {
    if (!named.has(name)) await rm(join(blobFolder, name), { force: true });
  }

  const exclusively = keyedLock();

  async function discard(blobs: readonly Blob[]): Promise<void> {
    for (const blob of blobs) await rm(join(blobFolder, blob.name), { force: true });
  }

  async function retire(held: ObjectHandle): Promise<void> {
    held.retired = true;
    if (held.readers === 0) await discard(held.record.blobs);
  }

  function recordPath(key: string): string {
    return join(objectFolder, `${createHash('sha256').update(key).digest('hex')}.json`);
  }

  return {
    uploads,
    find: (key) => objects.get(key)?.record,

    acquire(key) {
      const held = objects.get(key);
      if (!held) throw new S3Error('NoSuchKey');
      held.readers++;
      const release = () => {
        held.readers--;
        if (held.retired && held.readers === 0) void discard(held.record.blobs).catch(() => undefined);
      };
      return { record: held.record, release };
    },

    keys: () => [...objects.keys()].sort(),

    receive: (chunks) => writeBlob(blobFolder, chunks),

    async *read(record, first, last) {
      let offset = 0;
      for (const blob of record.blobs) {
        const start = Math.max(first - offset, 0);
        const end = Math.min(last - offset, blob.size - 1);
        if (start <= end) yield* createReadStream(join(blobFolder, blob.name), { start, end });
        offset += blob.size;
      }
    },

    discard,

    async publish(record) {
      await exclusively(record.key, async () => {
        try {
          await replaceFile(temporary, recordPath(record.key), JSON.stringify(record));
        } catch (error) {
          // A multipart upload keeps its parts, so that completing it can be retried.
          if (!record.uploadId) await discard(record.blobs);
          throw error;
        }
        const previous = objects.get(record.key);
        objects.set(record.key, { record, readers: 0, retired: false });
        await syncFolder(objectFolder);
        if (previous) await retire(previous);
      });
    },

    async delete(key) {
      await exclusively(key, async () => {
        const held = objects.get(key);
        if (!held) return;
        await rm(recordPath(key), { force: true });
        objects.delete(key);
        await syncFolder(objectFolder);
        await retire(held);
      });
    },
  };
}
