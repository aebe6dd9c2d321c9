import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { presignDownload } from '@/lib/clients/storage';
import { headObject } from '@/lib/clients/storage-objects';
import { AppError } from '@/lib/foundation/contract/errors';
import { attachment } from '@/lib/foundation/http/content-disposition';
import type { TextFile } from '@/lib/foundation/http/file-response';
import { runInSlices } from '@/lib/foundation/shared/steps';
import { entryFileName, sourceExtension } from '@/lib/journal/entries/file-names';
import { entryKey, originalName } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { archivedTranscriptJson, type RevisionRow } from '@/lib/journal/transcripts/archive';
import { revisionColumns } from '@/lib/journal/transcripts/revision-words';
import { plainText, subRip, webVtt } from '@/lib/journal/transcripts/shared/captions';
import type { Download } from './contract';

/** Counts the words of the latest revision; null if there's no transcript. */
const wordCount = sql<number | null>`(
  select jsonb_array_length(transcripts.words) from transcripts where transcripts.entry_id = entries.id
  order by transcripts.revision desc limit 1)`.as('word_count');

async function findEntry(userId: string, entryId: string) {
  const [entry] = await db()
    .select({
      title: entries.title,
      date: entries.date,
      fileName: entries.fileName,
      contentType: entries.contentType,
      videoStatus: entries.videoStatus,
      videoKey: entries.videoKey,
      storedOnce: entries.storedOnce,
      transcriptStatus: entries.transcriptStatus,
      language: entries.language,
      wordCount,
    })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  const extension = sourceExtension(entry.fileName, entry.contentType);
  const source = entryKey(userId, entryId, originalName(entry));
  const final = entryKey(userId, entryId, 'video.mp4');
  return {
    ...entry,
    /** Whatever becomes of the upload, and whether or not it fits the plan. */
    original:
      entry.videoStatus === 'uploading'
        ? null
        : { key: source, type: entry.contentType, fileName: entryFileName(entry, extension) },
    /** Not the first copy, which only some browsers play. */
    video:
      entry.videoKey === final
        ? {
            key: final,
            type: 'video/mp4',
            fileName: entryFileName(entry, extension === 'mp4' ? 'playable.mp4' : 'mp4'),
          }
        : null,
  };
}

/** Returns the files of an entry that exist. @throws AppError `not_found` */
export async function listDownloads(userId: string, entryId: string): Promise<Download[]> {
  const entry = await findEntry(userId, entryId);
  const { original } = entry;
  // One file is listed once.
  const video = entry.storedOnce ? null : entry.video;
  const [originalObject, videoObject] = await Promise.all([
    original && headObject(original.key),
    video && headObject(video.key),
  ]);
  const list: Download[] = [];
  const add = (kind: Download['kind'], path: string, fileName: string, about: Partial<Download> = {}) =>
    list.push({
      kind,
      url: `/api/v1/entry/${entryId}/${path}`,
      fileName,
      bytes: null,
      uploadedName: null,
      ...about,
    });
  if (original && originalObject) {
    const about = { bytes: originalObject.size, uploadedName: entry.fileName };
    add('original', 'original', original.fileName, about);
  }
  if (video && videoObject) add('video', 'video/download', video.fileName, { bytes: videoObject.size });
  if (entry.wordCount) {
    add('text', 'transcript.txt', entryFileName(entry, 'txt'));
    add('vtt', 'captions.vtt', entryFileName(entry, 'vtt'));
    add('srt', 'captions.srt', entryFileName(entry, 'srt'));
  }
  if (entry.wordCount !== null) add('json', 'transcript.json', entryFileName(entry, 'json'));
  return list;
}

/**
 * Returns a signed URL that saves the entry's original or final video under a readable name.
 * @returns the URL, which isn't to be cached, since the title may change
 * @throws AppError `not_found`, also if the entry has no such file
 */
export async function downloadAddress(
  userId: string,
  entryId: string,
  kind: 'original' | 'video',
): Promise<{ url: string; sameForSeconds: number }> {
  const { [kind]: file } = await findEntry(userId, entryId);
  if (!file || !(await headObject(file.key))) throw new AppError('not_found');
  const { url } = await presignDownload(file.key, file.type, { disposition: attachment(file.fileName) });
  return { url, sameForSeconds: 0 };
}

const FORMATS = {
  txt: { contentType: 'text/plain', write: plainText },
  vtt: { contentType: 'text/vtt', write: webVtt },
  srt: { contentType: 'application/x-subrip', write: subRip },
};

/** Returns an entry's current transcript as a file, which is empty if there are no words. @throws AppError `not_found` */
export async function transcriptFile(
  userId: string,
  entryId: string,
  extension: keyof typeof FORMATS,
): Promise<TextFile> {
  const { title, date, transcription } = await getEntry(userId, entryId);
  const { contentType, write } = FORMATS[extension];
  const fileName = entryFileName({ title, date: toIso(date) }, extension);
  return { fileName, contentType, text: await runInSlices(write(transcription.words)) };
}

/** Yields the given revisions. @throws Error if one is gone, so that what has been sent isn't taken for all of it */
async function* readRevisions(
  userId: string,
  entryId: string,
  revisions: readonly number[],
): AsyncGenerator<RevisionRow> {
  for (const revision of revisions) {
    const [row] = await db()
      .select(revisionColumns)
      .from(transcripts)
      .innerJoin(entries, eq(entries.id, transcripts.entryId))
      .where(and(ownedEntry(userId, entryId), eq(transcripts.revision, revision)));
    if (!row) throw new AppError('not_found');
    yield row;
  }
}

/** Returns an entry's transcript with all revisions, as JSON. @throws AppError `not_found` */
export async function transcriptData(userId: string, entryId: string): Promise<TextFile> {
  const entry = await findEntry(userId, entryId);
  const rows = await db()
    .select({ revision: transcripts.revision })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(ownedEntry(userId, entryId))
    .orderBy(transcripts.revision);
  const revisions = rows.map(({ revision }) => revision);
  return {
    fileName: entryFileName(entry, 'json'),
    contentType: 'application/json',
    text: archivedTranscriptJson(entry, readRevisions(userId, entryId, revisions)),
  };
}
