import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { importedEntries } from '@/db/schema/imported-entries';
import { hiddenMemories } from '@/db/schema/memories';
import { uploads } from '@/db/schema/uploads';
import { lockPlan } from '@/lib/billing/plans/service';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { TRANSCRIPT_FAILED } from '@/lib/journal/transcripts/service';
import { assertOpen, moveToImport } from '@/lib/portability/imports/history/service';
import { discardUploads } from '@/lib/video/uploads/abandoned';
import { createUpload, validateDeclaredFile } from '@/lib/video/uploads/service';
import type * as contract from './contract';
import { addDetails, contentChecksum } from './details';
import { findKnownVideos, selectKnownVideos } from './known-videos';

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

type ImportInput = z.output<typeof contract.importEntry.body>;

/** Returns a checksum of what's imported along with the video. */
const contentOf = ({ import_id: _, twins: __, twin: ___, ...content }: ImportInput) =>
  contentChecksum(content);

/** Returns which of the archive's entries this is. @throws AppError `validation_failed` if it isn't one of them */
function twinOf({ twins, twin }: ImportInput) {
  const found = twins[twin];
  if (found) return found;
  const message = 'This entry isn’t in the list of those with its video.';
  throw new AppError('validation_failed', { message, fields: { twin: message } });
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
  input: ImportInput,
): Promise<z.output<typeof contract.importEntry.response>> {
  await validateDeclaredFile({ ...input, duration: input.duration ?? undefined });
  const { import_id: importId } = input;
  const content = contentOf(input);
  const { id: sourceId } = twinOf(input);
  const date = toIso(input.date);
  return db().transaction(async (tx) => {
    // So that two imports of the same archive can't both miss an entry.
    await lockPlan(tx, userId);
    await assertOpen(userId, importId, tx);
    const known = await selectKnownVideos(userId, [input.sha256], tx);
    const found = findKnownVideos(known, input.sha256, input.twins)[input.twin];
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
