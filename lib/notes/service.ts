import { and, desc, eq, exists, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries, notes } from '@/db/schema/entries';
import { AppError } from '@/lib/contract/errors';
import type { Note } from './contract';

type Row = typeof notes.$inferSelect;

/** What a person writes: the text, and the moment of the video in seconds that it is about. */
interface NoteInput {
  text: string;
  moment?: number | null | undefined;
}

const presentNote = ({ id, text, createdAt, momentMs }: Row): Note => ({
  id,
  text,
  createdAt: createdAt.toISOString(),
  moment: momentMs === null ? null : momentMs / 1000,
});

const toMilliseconds = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? Math.round(seconds * 1000) : seconds;

async function assertOwned(userId: string, entryId: string): Promise<void> {
  const [entry] = await db().select({ id: entries.id }).from(entries).where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
}

/** A note on an entry that is the user's and not in the trash. */
const ownedNote = (userId: string, entryId: string, noteId: string) =>
  and(
    eq(notes.id, noteId),
    eq(notes.entryId, entryId),
    exists(db().select({ one: sql`1` }).from(entries).where(ownedEntry(userId, entryId))),
  );

/** Returns an entry's notes, newest first. @throws AppError `not_found` */
export async function listNotes(userId: string, entryId: string): Promise<Note[]> {
  await assertOwned(userId, entryId);
  const rows = await db()
    .select()
    .from(notes)
    .where(eq(notes.entryId, entryId))
    .orderBy(desc(notes.createdAt), desc(notes.id));
  return rows.map(presentNote);
}

/** Adds a note. @throws AppError `not_found` */
export async function postNote(userId: string, entryId: string, draft: NoteInput): Promise<Note> {
  await assertOwned(userId, entryId);
  const [row] = await db()
    .insert(notes)
    .values({ id: uuidv7(), entryId, text: draft.text, momentMs: toMilliseconds(draft.moment) ?? null })
    .returning();
  if (!row) throw new AppError('not_found');
  return presentNote(row);
}

/** Changes a note; without a moment the one it has stays. @throws AppError `not_found` */
export async function editNote(
  userId: string,
  entryId: string,
  noteId: string,
  draft: NoteInput,
): Promise<Note> {
  const [row] = await db()
    .update(notes)
    .set({ text: draft.text, momentMs: toMilliseconds(draft.moment) })
    .where(ownedNote(userId, entryId, noteId))
    .returning();
  if (!row) throw new AppError('not_found');
  return presentNote(row);
}

/** Deletes a note permanently. @throws AppError `not_found` */
export async function deleteNote(userId: string, entryId: string, noteId: string): Promise<void> {
  const gone = await db()
    .delete(notes)
    .where(ownedNote(userId, entryId, noteId))
    .returning({ id: notes.id });
  if (gone.length === 0) throw new AppError('not_found');
}
