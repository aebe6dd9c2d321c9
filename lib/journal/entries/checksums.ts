import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { sql } from 'drizzle-orm';
import { createCRC32 } from 'hash-wasm';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { headObject } from '@/lib/clients/storage-objects';
import { readRange } from '@/lib/clients/storage-ranges';
import { entryKey, originalName } from './keys';

/** A file's size and checksums. */
export interface FileChecksum {
  bytes: number;
  /** In hex. */
  sha256: string;
  crc32: number;
}

/** An entry's file that has checksums: the upload, or the video made from it. */
export type ChecksummedFile = (typeof entryFiles.name.enumValues)[number];

async function checksum(chunks: AsyncIterable<Buffer>, onChunk?: () => Promise<void>): Promise<FileChecksum> {
  const sha256 = createHash('sha256');
  const crc32 = (await createCRC32()).init();
  let bytes = 0;
  for await (const chunk of chunks) {
    sha256.update(chunk);
    crc32.update(chunk);
    bytes += chunk.length;
    await onChunk?.();
  }
  return { bytes, sha256: sha256.digest('hex'), crc32: Number.parseInt(crc32.digest('hex'), 16) };
}

/** Returns the checksums of a local file. */
export function checksumFile(file: string, signal?: AbortSignal): Promise<FileChecksum> {
  return checksum(createReadStream(file, { highWaterMark: 1 << 20, ...(signal && { signal }) }));
}

/**
 * Records the checksums of an entry's file, unless the entry has been deleted meanwhile.
 * @param playable whether browsers play the file from a disk; null to keep what's known
 */
export async function saveChecksum(
  tx: Database | Transaction,
  entryId: string,
  name: ChecksummedFile,
  { playable, bytes, sha256, crc32 }: FileChecksum & { playable: boolean | null },
): Promise<void> {
  // The lock keeps the entry until the row that refers to it is there.
  await tx.execute(sql`
    insert into ${entryFiles} (entry_id, name, bytes, sha256, crc32, playable)
    select id, ${name}, ${bytes}::bigint, ${sha256}, ${crc32}::bigint, ${playable}::boolean
    from ${entries} where id = ${entryId} for key share
    on conflict (entry_id, name) do update set bytes = excluded.bytes, sha256 = excluded.sha256,
      crc32 = excluded.crc32, playable = coalesce(excluded.playable, ${entryFiles}.playable)`);
}

/** An entry's file in storage with its checksums. */
export type StoredFile = FileChecksum & { object: { key: string; etag: string } };

/** The recorded checksums of an entry's files, and whether browsers play them from a disk; null if that isn't known. */
export type KnownFiles = Partial<Record<ChecksummedFile, FileChecksum & { playable: boolean | null }>>;

/** Returns what's recorded of entries' files. */
export async function selectKnownFiles(entryIds: readonly string[]): Promise<Map<string, KnownFiles>> {
  const known = new Map(entryIds.map((id): [string, KnownFiles] => [id, {}]));
  const rows = await db().select().from(entryFiles).where(anyOf(entryFiles.entryId, entryIds));
  for (const { entryId, name, ...file } of rows) known.set(entryId, { ...known.get(entryId), [name]: file });
  return known;
}

/**
 * Returns an entry's file as storage has it, with checksums. Reads all of it if the right ones aren't known.
 * @param options.onChunk called for each chunk that's read; throws to stop
 * @returns null if storage has no such file
 * @throws ObjectReplaced if it's replaced meanwhile
 */
export async function checksummedFile(
  { userId, entryId, storedOnce }: { userId: string; entryId: string; storedOnce: boolean },
  name: ChecksummedFile,
  { [name]: known }: KnownFiles,
  { signal, onChunk }: { signal: AbortSignal; onChunk: () => Promise<void> },
): Promise<StoredFile | null> {
  const key = entryKey(userId, entryId, name === 'source' ? originalName({ storedOnce }) : name);
  const head = await headObject(key);
  if (!head) return null;
  const object = { key, etag: head.etag };
  if (known?.bytes === head.size) {
    const { bytes, sha256, crc32 } = known;
    return { bytes, sha256, crc32, object };
  }
  const sums = await checksum(readRange(object, { start: 0, length: head.size }, signal), onChunk);
  await saveChecksum(db(), entryId, name, { ...sums, playable: null });
  return { ...sums, object };
}
