import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { hiddenMemories } from '@/db/schema/memories';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { uploads } from '@/db/schema/uploads';
import { lockPlan } from '@/lib/billing/plans/service';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { assertRevisionFits } from '@/lib/journal/transcripts/prune';
import { toMilliseconds } from '@/lib/journal/transcripts/revisions';
import { TRANSCRIPT_FAILED } from '@/lib/journal/transcripts/service';
import { addVocabulary } from '@/lib/journal/transcripts/vocabulary';
import { assertOpen, moveToImport } from '@/lib/portability/imports/history/service';
import { discardUploads } from '@/lib/video/uploads/abandoned';
import { createUpload, validateDeclaredFile } from '@/lib/video/uploads/service';
import type * as contract from './contract';
import { addDetails, addMissingTags, contentChecksum, lockTagsByName } from './details';
import { findKnownVideos, lockKnownVideos, selectKnownVideos } from './known-videos';

/** Tells which entries of an archive the journal already has, in their order. */
export async function checkImport(
  userId: string,
  { videos }: z.output<typeof contract.checkImport.body>,
): Promise<z.output<typeof contract.checkImport.response>> {
  const known = await selectKnownVideos(
    userId,
    videos.map(({ sha256 }) => sha256),
  );
  return {
    states: videos.map(({ sha256, twins }) =>
      findKnownVideos(known, sha256, twins).map((found) => {
        if (!found) return 'new';
        return found.isUploading ? 'started' : 'exists';
      }),
    ),
  };
}

/**
 * Adds an archive's tags, learned words, and hidden tags and dates. Changes nothing that the account has.
 * @throws AppError `quota_reached`; `not_found` or `conflict` by {@link assertOpen}
 */
export async function importJournal(
  userId: string,
  journal: z.output<typeof contract.importJournal.body>,
): Promise<void> {
  const { import_id: importId, exportedAt, tags, vocabulary, hiddenTags, hiddenDates } = journal;
  await db().transaction(async (tx) => {
    // One import at a time, so that none waits for tags of another in a different order.
    await lockPlan(tx, userId);
    await assertOpen(userId, importId, tx);
    await addMissingTags(tx, userId, importId, tags);
    await addVocabulary(tx, { userId, importId }, vocabulary, exportedAt);
    const names = hiddenTags.map(({ name }) => name);
    const ids = await lockTagsByName(tx, userId, names);
    const hidden = [
      ...hiddenTags.flatMap(({ name, createdAt }) => {
        const tagId = ids.get(name);
        return tagId ? [{ tagId, createdAt }] : [];
      }),
      ...hiddenDates.map(({ date, createdAt }) => ({ date: toIso(date), createdAt })),
    ];
    if (hidden.length > 0) {
      await tx
        .insert(hiddenMemories)
        .values(hidden.map((one) => ({ id: uuidv7(), userId, importId, ...one })))
        .onConflictDoNothing();
    }
    if (tags.length > 0) await assertTextFits(tx, userId, 'tags');
  });
}

/**
 * Opens the upload of an archived entry, with everything but its transcript, in one transaction. Finds the entry if the
 * journal has it, or the upload if the import was interrupted. An interrupted one of other content, such as from an older
 * archive, is discarded.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`, `validation_failed`; `not_found` or `conflict` by
 * {@link assertOpen}
 */
export async function importEntry(
  userId: string,
  input: z.output<typeof contract.importEntry.body>,
): Promise<z.output<typeof contract.importEntry.response>> {
  await validateDeclaredFile({ ...input, duration: input.duration ?? undefined });
  const { import_id: importId, twins, twin, ...imported } = input;
  const content = contentChecksum(imported);
  const sourceId = twins[twin]?.id;
  if (sourceId === undefined) {
    const message = 'This entry isn’t in the list of those with its video.';
    throw new AppError('validation_failed', { message, fields: { twin: message } });
  }
  const date = toIso(input.date);
  return db().transaction(async (tx) => {
    // So that two imports of the same archive can't both miss an entry.
    await lockPlan(tx, userId);
    await assertOpen(userId, importId, tx);
    const known = await lockKnownVideos(tx, userId, input.sha256);
    const found = findKnownVideos(known, input.sha256, twins)[twin];
    if (found && !found.isUploading) return { entryId: found.entryId, exists: true };
    if (found?.content === content) {
      await moveToImport(tx, found.entryId, found.importId, importId);
      await tx.update(uploads).set({ activeAt: sql`now()` }).where(eq(uploads.entryId, found.entryId));
      return { entryId: found.entryId, exists: false };
    }
    if (found) await discardUploads(tx, userId, [found.entryId]);
    const status = input.transcript?.status ?? 'processing';
    const entryId = await createUpload(
      tx,
      userId,
      { clientId: randomUUID(), size: input.size },
      {
        title: input.title,
        date,
        question: input.question,
        createdAt: input.createdAt,
        fileName: input.file_name,
        contentType: input.content_type,
        transcriptStatus: status,
        transcriptError: status === 'failed' ? TRANSCRIPT_FAILED : null,
        language: input.transcript?.language ?? null,
      },
    );
    await tx
      .insert(importedEntries)
      .values({ entryId, importId, sourceId, sha256: input.sha256, date, content });
    await addDetails(tx, { userId, entryId, importId }, input);
    if (input.hiddenAt) {
      await tx.insert(hiddenMemories).values({ id: uuidv7(), userId, entryId, createdAt: input.hiddenAt });
    }
    await assertTextFits(tx, userId, 'notes', 'tags');
    return { entryId, exists: false };
  });
}

/**
 * Adds a revision of the transcript to an entry that's being imported. One that's there stays.
 * @throws AppError `not_found` if the entry isn't an import, `conflict` if it's complete, `quota_reached`
 */
export async function importRevision(
  userId: string,
  entryId: string,
  { words, ...rest }: z.output<typeof contract.importRevision.body>,
): Promise<void> {
  const stored = words.map(([word, start, end, confidence]): StoredWord => {
    const times = [toMilliseconds(start), toMilliseconds(end)] as const;
    return confidence === null ? [word, ...times] : [word, ...times, confidence];
  });
  await db().transaction(async (tx) => {
    const [entry] = await tx
      .select({ videoStatus: entries.videoStatus })
      .from(entries)
      .innerJoin(importedEntries, eq(importedEntries.entryId, entries.id))
      .where(ownedEntry(userId, entryId))
      .for('update', { of: entries });
    if (!entry) throw new AppError('not_found');
    if (entry.videoStatus !== 'uploading') throw new AppError('conflict');
    await tx
      .insert(transcripts)
      .values({ ...rest, entryId, words: stored })
      .onConflictDoNothing();
    await assertRevisionFits(tx, entryId);
    await assertTextFits(tx, userId);
  });
}
