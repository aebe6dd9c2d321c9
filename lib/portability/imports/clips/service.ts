import { randomUUID } from 'node:crypto';
import { and, asc, eq, isNotNull, notExists, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import { uploads } from '@/db/schema/uploads';
import { lockPlan } from '@/lib/billing/plans/service';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { listed } from '@/lib/journal/entries/queries';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { addDetails, contentChecksum } from '@/lib/portability/imports/archive/details';
import { assertOpen } from '@/lib/portability/imports/history/service';
import { discardUploads } from '@/lib/video/uploads/abandoned';
import { createUpload, validateDeclaredFile } from '@/lib/video/uploads/service';
import type * as contract from './contract';

type ClipInput = z.output<typeof contract.importClip.body>;

/** Returns a checksum of what can change while the video is on its way. */
const contentOf = ({ clip_id: _, content_type: __, size: ___, duration: ____, ...content }: ClipInput) =>
  contentChecksum(content);

/** What the entry and the record of its import have of a clip. */
const columnsOf = (input: ClipInput) => ({
  entry: {
    title: input.title,
    date: toIso(input.date),
    fileName: input.file_name,
    createdAt: input.recordedAt ?? new Date(),
  },
  imported: {
    date: toIso(input.date),
    recordedAt: input.recordedAt,
    placeholderTitle: input.titleFromWords ? input.title : null,
    content: contentOf(input),
  },
});

/** Finds an import's clip, and locks its entry, so that its upload isn't completed meanwhile. */
async function lockClip(tx: Transaction, importId: string, clipId: string) {
  const [found] = await tx
    .select({
      entryId: entries.id,
      videoStatus: entries.videoStatus,
      trashedAt: entries.trashedAt,
      contentType: entries.contentType,
      bytes: entries.bytes,
      content: importedEntries.content,
    })
    .from(importedEntries)
    .innerJoin(entries, eq(entries.id, importedEntries.entryId))
    .where(and(eq(importedEntries.importId, importId), eq(importedEntries.clipId, clipId)))
    .for('update', { of: entries });
  return found;
}

type Owner = Parameters<typeof addDetails>[1];

/** Changes what an unfinished clip is imported with. Tags that the import added for it alone go. */
async function updateClip(tx: Transaction, owner: Owner, input: ClipInput): Promise<void> {
  const { entryId, importId } = owner;
  const { entry, imported } = columnsOf(input);
  await tx.update(entries).set(entry).where(eq(entries.id, entryId));
  await tx.update(importedEntries).set(imported).where(eq(importedEntries.entryId, entryId));
  await tx.delete(notes).where(eq(notes.entryId, entryId));
  const before = await tx
    .delete(entryTags)
    .where(eq(entryTags.entryId, entryId))
    .returning({ tagId: entryTags.tagId });
  await addDetails(tx, owner, input);
  const isAdded = and(
    anyOf(
      tags.id,
      before.map(({ tagId }) => tagId),
    ),
    eq(tags.importId, importId),
  );
  if (before.length === 0) return;
  // So that no entry gets one of them meanwhile. In the order in which all lock tags.
  await tx.select({ id: tags.id }).from(tags).where(isAdded).orderBy(asc(tags.id)).for('update');
  const others = tx.select().from(entryTags).where(eq(entryTags.tagId, tags.id));
  await tx.delete(tags).where(and(isAdded, notExists(others)));
}

/**
 * Opens the upload of a clip, with its details, in one transaction. Finds the entry if the clip was sent before: if its
 * upload isn't complete, it gets the new details, or is started over if the file has another size or type.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`; `not_found` or `conflict` by {@link assertOpen}
 */
export async function importClip(
  userId: string,
  importId: string,
  input: ClipInput,
): Promise<z.output<typeof contract.importClip.response>> {
  await validateDeclaredFile({ ...input, duration: input.duration ?? undefined });
  const { entry, imported } = columnsOf(input);
  return db().transaction(async (tx) => {
    // So that a repeated request waits for the first one.
    await lockPlan(tx, userId);
    await assertOpen(userId, importId, tx);
    const found = await lockClip(tx, importId, input.clip_id);
    if (found && found.videoStatus !== 'uploading') return { entryId: found.entryId, exists: true };
    const isSame = found?.bytes === input.size && found.contentType === input.content_type;
    if (found && isSame && !found.trashedAt) {
      const owner = { userId, importId, entryId: found.entryId };
      const isChanged = found.content !== imported.content;
      if (isChanged) await updateClip(tx, owner, input);
      await tx.update(uploads).set({ activeAt: sql`now()` }).where(eq(uploads.entryId, found.entryId));
      if (isChanged) await assertTextFits(tx, userId, 'notes', 'tags');
      return { entryId: found.entryId, exists: false };
    }
    if (found) await discardUploads(tx, userId, [found.entryId]);
    const entryId = await createUpload(
      tx,
      userId,
      { clientId: randomUUID(), size: input.size },
      { ...entry, contentType: input.content_type },
    );
    await tx.insert(importedEntries).values({ ...imported, entryId, importId, clipId: input.clip_id });
    await addDetails(tx, { userId, entryId, importId }, input);
    await assertTextFits(tx, userId, 'notes', 'tags');
    return { entryId, exists: false };
  });
}

/**
 * Returns the clips of an import that have arrived, also those in the trash, and those that were started.
 * @throws AppError `not_found` or `conflict` by {@link assertOpen}
 */
export async function listClips(
  userId: string,
  importId: string,
): Promise<z.output<typeof contract.listClips.response>> {
  await assertOpen(userId, importId);
  const rows = await db()
    .select({
      clipId: sql<string>`${importedEntries.clipId}`,
      isUploading: sql<boolean>`${entries.videoStatus} = 'uploading'`,
    })
    .from(importedEntries)
    .innerJoin(entries, eq(entries.id, importedEntries.entryId))
    .where(
      and(
        eq(importedEntries.importId, importId),
        eq(entries.userId, userId),
        isNotNull(importedEntries.clipId),
        // An upload that its owner has removed is started over.
        sql`(${entries.trashedAt} is null or ${entries.videoStatus} <> 'uploading')`,
      ),
    )
    .orderBy(asc(entries.id));
  return {
    clips: rows.map(({ clipId, isUploading }) => ({ clipId, state: isUploading ? 'started' : 'exists' })),
  };
}

/**
 * Returns the account's entries whose original video has one of these sizes. The checksum is the real one, once it has been
 * computed, and until then what the browser claimed if it came with an archive.
 */
export async function findVideos(
  userId: string,
  { videos }: z.output<typeof contract.findVideos.body>,
): Promise<z.output<typeof contract.findVideos.response>> {
  const sizes = JSON.stringify(videos.map(({ size }) => size));
  const rows = await db()
    .select({
      size: entries.bytes,
      entryId: entries.id,
      title: entries.title,
      date: entries.date,
      // Each by its key, however many entries the planner expects.
      sha256: sql<string | null>`coalesce(
        (select sha256 from ${entryFiles} where entry_id = entries.id and name = 'source'),
        (select sha256 from ${importedEntries} where entry_id = entries.id))`,
      durationMs: entries.durationMs,
      recordedAt: sql`(select recorded_at from ${importedEntries} where entry_id = entries.id)`.mapWith(
        importedEntries.recordedAt,
      ),
    })
    .from(entries)
    .where(
      and(
        listed(userId),
        sql`${entries.bytes} = any(array(select jsonb_array_elements(${sizes}::jsonb)::bigint))`,
      ),
    )
    .orderBy(asc(entries.id));
  return {
    videos: rows.map(({ durationMs, recordedAt, ...row }) => ({
      ...row,
      duration: durationMs === null ? null : durationMs / 1000,
      recordedAt: recordedAt?.toISOString() ?? null,
    })),
  };
}
