import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { type entries, entryTags, notes, tags } from '@/db/schema/entries';
import { transcripts, vocabulary } from '@/db/schema/transcripts';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeEntry, makeUser } from '@/test/factories';
import { clipFolder } from '@/test/media/encode';
import { canaries } from './canaries';

/** Copies a clip under a new name, with phrases in its metadata. */
export async function copyWithCanaries(source: string, name: string): Promise<string> {
  const target = path.join(clipFolder(), name);
  const titles = ['-metadata', `title=${canaries.fileTitle}`, '-metadata', `comment=${canaries.fileComment}`];
  const args = ['-loglevel', 'error', '-y', '-i', source, '-c', 'copy', ...titles, target];
  await promisify(execFile)('ffmpeg', args);
  return target;
}

/**
 * Makes an account and an entry with a phrase in every text that a person or a machine can write.
 * @param source the uploaded file
 */
export async function makeEntryWithCanaries(
  source: string,
  values: Partial<typeof entries.$inferInsert>,
): Promise<{ userId: string; entryId: string }> {
  const { id: userId } = await makeUser({
    firstName: canaries.firstName,
    lastName: canaries.lastName,
    email: canaries.email(uuidv7()),
  });
  const { title, fileName } = canaries;
  const { id: entryId } = await makeEntry(userId, {
    title,
    fileName,
    videoStatus: 'uploaded',
    videoKey: null,
    durationMs: null,
    transcriptStatus: 'processing',
    ...values,
  });
  for (const name of canaries.tags) {
    const [tag] = await db().insert(tags).values({ id: uuidv7(), userId, name }).returning();
    if (tag) await db().insert(entryTags).values({ entryId, tagId: tag.id });
  }
  for (const text of canaries.notes) await db().insert(notes).values({ id: uuidv7(), entryId, text });
  const words = canaries.corrected.map((word, index): [string, number, number] => [word, index, index]);
  await db().insert(transcripts).values({ entryId, revision: 1, words });
  await db().insert(vocabulary).values({ userId, word: canaries.vocabulary });
  await uploadObject(source, entryKey(userId, entryId, 'source'), 'video/mp4');
  return { userId, entryId };
}
