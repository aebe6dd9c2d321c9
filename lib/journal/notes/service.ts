import { and, desc, eq, exists, inArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries, notes } from '@/db/schema/entries';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { type ChangedNote, MAX_ENTRY_NOTES, type NewNote, type Note } from './contract';

type Row = typeof notes.$inferSelect;

/** How long before it's sent a note may have been written. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

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

/** Checks that an entry may have the note that was just added. @throws AppError `quota_reached` */
async function assertNoteFits(tx: Transaction, userId: string, entryId: string): Promise<void> {
  const [entry] = await tx
    .select({ noteCount: entries.noteCount })
    .from(entries)
    .where(eq(entries.id, entryId));
  if (entry && entry.noteCount > MAX_ENTRY_NOTES) {
    throw new AppError('quota_reached', {
      message: 'This entry has 5,000 notes, which is the limit. Delete some, then try again.',
    });
  }
  await assertTextFits(tx, userId, 'notes');
}

/** Returns when a note was written: not in the future, and at most 90 days ago. */
function timeWritten(createdAt: string): Date {
  const now = Date.now();
  return new Date(Math.min(Math.max(Date.parse(createdAt), now - MAX_AGE_MS), now));
}

/**
 * Adds a note. Repeating a `client_id` on an entry adds nothing.
 * @returns the note; for a repeated one, as it is now
 * @throws AppError `not_found`, `quota_reached`
 */
export async function postNote(userId: string, entryId: string, draft: NewNote): Promise<Note> {
  const { text, moment, client_id: clientId = null, createdAt } = draft;
  const added = await db().transaction(async (tx) => {
    // Keeps the entry until the note that refers to it is there.
    const [entry] = await tx
      .select({ id: entries.id })
      .from(entries)
      .where(ownedEntry(userId, entryId))
      .for('key share');
    if (!entry) throw new AppError('not_found');
    const [row] = await tx
      .insert(notes)
      .values({
        id: uuidv7(),
        entryId,
        text,
        momentMs: toMilliseconds(moment) ?? null,
        clientId,
        ...(createdAt && { createdAt: timeWritten(createdAt) }),
      })
      .onConflictDoNothing({ target: [notes.entryId, notes.clientId] })
      .returning();
    if (row) await assertNoteFits(tx, userId, entryId);
    return row;
  });
  if (added) return presentNote(added);
  const [known] = await db()
    .select()
    .from(notes)
    .where(and(eq(notes.entryId, entryId), sql`${notes.clientId} = ${clientId}`));
  if (!known) throw new AppError('not_found');
  return presentNote(known);
}

/**
 * Changes a note; without a moment the one it has stays.
 * @throws AppError `not_found`, `quota_reached`; `conflict` if the note has neither the text `before` nor the new one
 */
export async function editNote(
  userId: string,
  entryId: string,
  noteId: string,
  { text, moment, before }: ChangedNote,
): Promise<Note> {
  const owned = ownedNote(userId, entryId, noteId);
  const expected = before === undefined ? undefined : inArray(notes.text, [before, text]);
  const changed = await db().transaction(async (tx) => {
    const [note] = await tx
      .select({ text: notes.text })
      .from(notes)
      .where(and(owned, expected))
      .for('update');
    if (!note) return undefined;
    const [row] = await tx
      .update(notes)
      .set({ text, momentMs: toMilliseconds(moment) })
      .where(eq(notes.id, noteId))
      .returning();
    // A shorter one is saved even in a journal that's full.
    if (Buffer.byteLength(text) > Buffer.byteLength(note.text)) await assertTextFits(tx, userId);
    return row;
  });
  if (changed) return presentNote(changed);
  const [other] = await db().select({ id: notes.id }).from(notes).where(owned);
  throw new AppError(other ? 'conflict' : 'not_found', {
    ...(other && { message: 'This note was changed elsewhere, so we didn’t save over it.' }),
  });
}

/** Deletes a note permanently. @throws AppError `not_found` */
export async function deleteNote(userId: string, entryId: string, noteId: string): Promise<void> {
  const gone = await db()
    .delete(notes)
    .where(ownedNote(userId, entryId, noteId))
    .returning({ id: notes.id });
  if (gone.length === 0) throw new AppError('not_found');
}
