import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { transcriptPassages } from '@/db/schema/transcripts';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { makeEntry, makeUser } from './factories';
import { joinSamples, readSentences } from './media/samples';

/** Creates an entry of 200 s that's being transcribed, with a file in storage. */
export async function makeSpokenEntry(name: 'source' | 'speech-0.pcm', file: string): Promise<EntryRef> {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing', durationMs: 200_000 });
  await uploadObject(file, entryKey(userId, entryId, name), 'application/octet-stream');
  return { userId, entryId };
}

/** What the engine doesn't join to one passage. */
const PASSAGE_PAUSE_SECONDS = 28;

/**
 * Creates an entry with the first part of its audio, and writes that to `file`.
 * @param passages the sentences of `test/media/librivox` that are read in each passage, by index
 */
export async function makeReadEntry(
  file: string,
  passages: readonly (readonly number[])[],
): Promise<EntryRef> {
  const sentences = await readSentences();
  const spoken = passages.map((indexes) => {
    const samples = sentences.filter((_, index) => indexes.includes(index)).map((one) => one.samples);
    return joinSamples(samples, 0.6);
  });
  await writeFile(
    file,
    Int16Array.from(joinSamples(spoken, PASSAGE_PAUSE_SECONDS), (sample) => sample * 32_767),
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
