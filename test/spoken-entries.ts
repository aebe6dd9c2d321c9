import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { transcriptPassages } from '@/db/schema/entries';
import { entryKey } from '@/lib/entries/keys';
import type { EntryRef } from '@/lib/outbox/entry-jobs';
import { uploadObject } from '@/lib/services/storage-objects';
import { makeEntry, makeUser } from './factories';
import { joinSamples, readSentences } from './media/samples';

/** Creates an entry of 200 s that's being transcribed, with a file in storage. */
export async function makeSpokenEntry(name: 'source' | 'speech-0.pcm', file: string): Promise<EntryRef> {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing', durationMs: 200_000 });
  await uploadObject(file, entryKey(userId, entryId, name), 'application/octet-stream');
  return { userId, entryId };
}

/** Creates an entry with the first part of its audio: `test/media/librivox`, 28 s, so many times. Writes it to `file`. */
export async function makeReadEntry(file: string, times: number): Promise<EntryRef> {
  const sentences = (await readSentences()).map(({ samples }) => samples);
  const samples = joinSamples(Array.from({ length: times }, () => sentences).flat(), 0.6);
  await writeFile(
    file,
    Int16Array.from(samples, (sample) => sample * 32_767),
  );
  return makeSpokenEntry('speech-0.pcm', file);
}

/** Returns the passages heard so far, in order. */
export const passagesOf = ({ entryId }: EntryRef) =>
  db()
    .select()
    .from(transcriptPassages)
    .where(eq(transcriptPassages.entryId, entryId))
    .orderBy(transcriptPassages.startMs);
