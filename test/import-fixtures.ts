import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { transcripts } from '@/db/schema/transcripts';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';
import type { ArchivedJournal } from '@/lib/portability/exports/format';
import * as contract from '@/lib/portability/imports/archive/contract';
import {
  checkImport,
  importEntry,
  importJournal,
  importRevision,
} from '@/lib/portability/imports/archive/service';
import {
  checkEntries,
  entryRequest,
  type ImportableEntry,
  importableEntries,
  journalRequests,
  revisionRequests,
} from '@/lib/portability/imports/archive/shared/requests';
import { createImport } from '@/lib/portability/imports/history/service';
import { finishUpload } from '@/lib/video/uploads/complete';
import { signParts } from '@/lib/video/uploads/multipart';
import { md5, put } from './multipart-fixtures';

type Files = ReadonlyMap<string, Buffer>;

/** Where an import is stopped, as when its browser is killed. */
export const STOPS = ['opened', 'first revision', 'revisions', 'video'] as const;
type Stop = (typeof STOPS)[number];

/** Returns the only entry that an archive has, or the one at an index. */
export function entryAt(journal: ArchivedJournal, index = 0): ImportableEntry {
  const found = importableEntries(journal)[index];
  if (!found) throw new Error('no such entry');
  return found;
}

const fileOf = (files: Files, path: string): Buffer => {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`no file ${path}`);
  return bytes;
};

const transcriptOf = ({ entry }: ImportableEntry, files: Files): ArchivedTranscript | null =>
  entry.transcript && JSON.parse(String(fileOf(files, entry.transcript.path)));

/** Returns which entries of an archive the journal has. */
export const statesOf = (userId: string, journal: ArchivedJournal) =>
  checkEntries(importableEntries(journal), (body) =>
    checkImport(userId, contract.checkImport.body.parse(body)),
  );

/** Returns the ids of an account's entries. */
export const idsOf = async (userId: string) =>
  (await db().select({ id: entries.id }).from(entries).where(eq(entries.userId, userId))).map(({ id }) => id);

/** Starts an import. @returns its id */
export const startImport = async (userId: string): Promise<string> =>
  (await createImport(userId, { kind: 'daylight', name: 'Daylight.zip' })).id;

/** Opens an entry's import with what the archive says, or with something else. */
export async function openImport(
  userId: string,
  journal: ArchivedJournal,
  files: Files,
  entry = entryAt(journal),
  more: Partial<ReturnType<typeof entryRequest>> = {},
) {
  const importId = more.import_id ?? (await startImport(userId));
  const body = { ...entryRequest(journal, entry, transcriptOf(entry, files), importId), ...more };
  return importEntry(userId, contract.importEntry.body.parse(body));
}

/** Imports an entry as the browser does, up to a point. @returns its id */
export async function importOne(
  userId: string,
  journal: ArchivedJournal,
  files: Files,
  options: { entry?: ImportableEntry; stop?: Stop; importId?: string } = {},
): Promise<string> {
  const { entry = entryAt(journal), stop, importId } = options;
  const { entryId, exists } = await openImport(userId, journal, files, entry, {
    ...(importId && { import_id: importId }),
  });
  if (exists || stop === 'opened') return entryId;
  const transcript = transcriptOf(entry, files);
  for (const revision of transcript ? revisionRequests(entry, transcript) : []) {
    await importRevision(userId, entryId, contract.importRevision.body.parse(revision));
    if (stop === 'first revision') return entryId;
  }
  if (stop === 'revisions') return entryId;
  const video = fileOf(files, entry.video.path);
  const part = { number: 1, size: video.length, md5: md5(video) };
  const signed = await signParts(userId, entryId, { parts: [part] });
  const answer = await put(signed.parts[0]?.url ?? '', video);
  if (!answer.ok) throw new Error(await answer.text());
  if (stop === 'video') return entryId;
  const [year, month, day] = entry.entry.date.split('-').map(Number) as [number, number, number];
  await finishUpload(userId, entryId, {
    title: entry.entry.title,
    journal_date: { year, month, day },
    size: video.length,
    parts: [part.md5],
  });
  return entryId;
}

/** Imports a whole archive, as an import of its own unless it's given one. @returns the import's id */
export async function importAll(
  userId: string,
  journal: ArchivedJournal,
  files: Files,
  given?: string,
): Promise<string> {
  const importId = given ?? (await startImport(userId));
  for (const request of journalRequests(journal, importId))
    await importJournal(userId, contract.importJournal.body.parse(request));
  for (const entry of importableEntries(journal))
    await importOne(userId, journal, files, { entry, importId });
  return importId;
}

/** Returns everything of an account that an archive holds, without ids. */
export async function contentOf(userId: string) {
  const ofUser = eq(entries.userId, userId);
  const rows = await db().select().from(entries).where(ofUser).orderBy(entries.date, entries.createdAt);
  const content = rows.map(async (row) => ({
    ...row,
    id: null,
    userId: null,
    uploadCheckedAt: null,
    tags: await db()
      .select({ name: tags.name, color: tags.color })
      .from(entryTags)
      .innerJoin(tags, eq(tags.id, entryTags.tagId))
      .where(eq(entryTags.entryId, row.id))
      .orderBy(tags.name),
    notes: await db()
      .select({ text: notes.text, momentMs: notes.momentMs, createdAt: notes.createdAt })
      .from(notes)
      .where(eq(notes.entryId, row.id))
      .orderBy(notes.createdAt, notes.id),
    revisions: (
      await db()
        .select()
        .from(transcripts)
        .where(eq(transcripts.entryId, row.id))
        .orderBy(transcripts.revision)
    ).map((revision) => ({ ...revision, entryId: null })),
  }));
  return {
    entries: await Promise.all(content),
    tags: await db()
      .select({ name: tags.name, color: tags.color })
      .from(tags)
      .where(eq(tags.userId, userId))
      .orderBy(tags.name),
    vocabulary: await vocabularyOf(userId),
    hidden: await db()
      .select({
        title: entries.title,
        tag: tags.name,
        date: hiddenMemories.date,
        createdAt: hiddenMemories.createdAt,
      })
      .from(hiddenMemories)
      .leftJoin(entries, eq(entries.id, hiddenMemories.entryId))
      .leftJoin(tags, eq(tags.id, hiddenMemories.tagId))
      .where(eq(hiddenMemories.userId, userId))
      .orderBy(hiddenMemories.createdAt),
  };
}
