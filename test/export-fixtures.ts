import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { listObjects, listUploads } from '@/lib/clients/storage-listing';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { announce, assemble } from '@/lib/portability/exports/assemble';
import type { ArchivedJournal } from '@/lib/portability/exports/format';
import { layOut, prepareChecksums } from '@/lib/portability/exports/prepare';
import { type ExportRun, exportPrefix } from '@/lib/portability/exports/run';
import { createExport, exportAddress } from '@/lib/portability/exports/service';
import { makeEntry } from './factories';

/** A step's time that's never up. */
export const noHurry = (signal = new AbortController().signal) => ({
  deadline: Number.POSITIVE_INFINITY,
  signal,
});

export type EntryValues = NonNullable<Parameters<typeof makeEntry>[1]>;

/** Creates an entry with a video of so many random bytes. @param file where to write them on the way */
export async function makeStoredVideo(file: string, userId: string, bytes: number, values: EntryValues = {}) {
  const entry = await makeEntry(userId, { bytes, ...values });
  const content = randomBytes(bytes);
  await writeFile(file, content);
  await uploadObject(file, entryKey(userId, entry.id, 'source'), 'video/mp4');
  return { id: entry.id, content };
}

/** Requests an archive. @returns its first run */
export async function requestExport(
  userId: string,
  wanted: Partial<Parameters<typeof createExport>[1]> = {},
): Promise<ExportRun> {
  const { id: exportId } = await createExport(userId, { notify: false, ...wanted });
  return { exportId, userId, generation: 1 };
}

/** Runs the steps of an archive's job, one after the other. */
export async function prepareArchive(run: ExportRun): Promise<void> {
  await prepareChecksums(run, noHurry());
  await layOut(run, noHurry());
  const state = await assemble(run, noHurry());
  if (state !== 'done') throw new Error(`the archive is ${state}`);
  await announce(run);
}

/** An archive as an independent reader finds it, with every checksum verified. */
export async function readArchive({ userId, exportId }: Pick<ExportRun, 'userId' | 'exportId'>) {
  const response = await fetch(await exportAddress(userId, exportId));
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await response.arrayBuffer())), {
    checkSignature: true,
  });
  const files = new Map<string, Buffer>();
  for (const entry of await zip.getEntries()) {
    if (!entry.directory) files.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  const json = (path: string) => JSON.parse(files.get(path)?.toString() ?? 'null');
  return { files, paths: [...files.keys()], json, journal: json('daylight.json') as ArchivedJournal };
}

/** Returns the keys of what an archive has in storage, objects and unfinished uploads. */
export async function storedBy(run: ExportRun) {
  const keysOf = async (pages: AsyncGenerator<{ key: string }[]>) => {
    const keys: string[] = [];
    for await (const page of pages) keys.push(...page.map(({ key }) => key));
    return keys;
  };
  const prefix = exportPrefix(run);
  return { objects: await keysOf(listObjects(prefix)), uploads: await keysOf(listUploads(prefix)) };
}
