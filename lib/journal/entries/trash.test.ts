import { eq, like, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, notes } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { planDetails } from '@/lib/billing/plans/service';
import { learnFromCorrections } from '@/lib/journal/transcripts/learn';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { addNote } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { refuseWrites } from '@/test/refused-writes';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { getEntry } from './service';
import { listTrash, purgeEntry, purgeOldTrash, removeEntry, restoreEntry } from './trash';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const error = (code: string) => expect.objectContaining({ code });

/** Which events about an entry are in the outbox, but for those of removals. */
async function eventsOf(entryId: string): Promise<string[]> {
  const rows = await db()
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(or(like(outbox.id, `%-${entryId}-%`), like(outbox.id, `%-${entryId}`)));
  return rows
    .map(({ payload }) => JSON.parse(payload).name as string)
    .filter((name) => name !== 'entry/removed')
    .sort();
}

/** Deleted in storage at once, after the upload's address has expired, and a day later. */
const PURGED = ['entry/purged', 'entry/purged', 'entry/purged'];

async function trashed(userId: string, values: Parameters<typeof makeEntry>[1] = {}) {
  const entry = await makeEntry(userId, values);
  await removeEntry(userId, entry.id);
  return entry.id;
}

const idsOf = async (userId: string) => (await listTrash(userId)).map((entry) => entry.id);

const age = (entryId: string, hours: number) =>
  db()
    .update(entries)
    .set({ trashedAt: sql`now() - ${hours} * interval '1 hour'` })
    .where(eq(entries.id, entryId));

it('keeps what was removed for 30 days, the latest first, and counts it against nothing', async () => {
  const user = await makeUser();
  const [first, second] = [await trashed(user.id), await trashed(user.id, { thumbnailKey: 'x' })];
  const listed = await listTrash(user.id);
  expect(listed.map((entry) => entry.id)).toEqual([second, first]);
  const [latest] = listed;
  expect(latest).toMatchObject({ thumbnail: '', bytes: 1000, title: 'A day' });
  const kept = Date.parse(latest?.purgedAt ?? '') - Date.parse(latest?.trashedAt ?? '');
  expect(kept).toBe(30 * 24 * 3600 * 1000);
  expect((await planDetails(user.id)).videoCount).toBe(0);
});

it('gives an entry back as it was', async () => {
  const user = await makeUser();
  const id = await trashed(user.id);
  expect(await restoreEntry(user.id, id)).toEqual(await getEntry(user.id, id));
  expect(await idsOf(user.id)).toEqual([]);
  // Its previews may not have been made yet.
  expect(await eventsOf(id)).toEqual(['entry/video.ready']);
  await expect(restoreEntry(user.id, id)).rejects.toEqual(error('not_found'));
});

it('starts again what had not finished', async () => {
  const user = await makeUser();
  const running = { videoKey: null, transcriptStatus: 'processing' } as const;
  const unseen = await trashed(user.id, { ...running, videoStatus: 'uploaded', durationMs: null });
  const half = await trashed(user.id, { ...running, videoStatus: 'processing' });
  const words = await trashed(user.id, { transcriptStatus: 'processing' });
  const { id: heard } = await makeEntry(user.id, { ...running, videoStatus: 'processing' });
  await startJobs(db(), 'transcript', [{ entryId: heard, userId: user.id }]);
  await db().delete(outbox);
  await removeEntry(user.id, heard);
  for (const id of [unseen, half, words, heard]) await restoreEntry(user.id, id);
  expect(await eventsOf(unseen)).toEqual(['entry/uploaded']);
  expect(await eventsOf(half)).toEqual(['entry/uploaded']);
  expect(await eventsOf(words)).toEqual(['entry/transcript.wanted', 'entry/video.ready']);
  expect(await eventsOf(heard)).toEqual(['entry/transcript.wanted', 'entry/uploaded']);
  // A second removal and return is a second start.
  await removeEntry(user.id, words);
  await restoreEntry(user.id, words);
  expect(await eventsOf(words)).toHaveLength(4);
});

it('needs room in the plan, and gives the last room to exactly one', async () => {
  const user = await makeUser();
  const waiting = [await trashed(user.id), await trashed(user.id), await trashed(user.id)];
  for (let n = 0; n < 29; n += 1) await makeEntry(user.id);
  const tries = await Promise.allSettled(waiting.map((id) => restoreEntry(user.id, id)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of tries) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'quota_reached' });
  }
  expect(await idsOf(user.id)).toHaveLength(2);
});

it('permanently deletes rows at once and objects by a job, and only from the trash', async () => {
  const user = await makeUser();
  const living = (await makeEntry(user.id)).id;
  const id = await trashed(user.id);
  await expect(purgeEntry(user.id, living)).rejects.toEqual(error('not_found'));
  await purgeEntry(user.id, id);
  expect(await db().select().from(entries).where(eq(entries.id, id))).toEqual([]);
  expect(await eventsOf(id)).toEqual(PURGED);
  await expect(restoreEntry(user.id, id)).rejects.toEqual(error('not_found'));
});

it('deletes from storage again once nothing can be uploaded anymore, and one last time a day later', async () => {
  const { id: userId } = await makeUser();
  const hour = 3_600_000;
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  for (const [uploadExpiresAt, hours] of [
    [inMinutes(-90), 0],
    [null, 0],
    [inMinutes(300), 5],
  ] as const) {
    const id = await trashed(userId, { uploadExpiresAt });
    const start = Date.now() + hours * hour;
    await purgeEntry(userId, id);
    const dueIn = async (kind: string) => {
      const [event] = await db()
        .select()
        .from(outbox)
        .where(eq(outbox.id, `${kind}-${id}`));
      return (event?.dueAt.getTime() ?? 0) - start;
    };
    // It's never due before, and a minute is enough for the clocks.
    expect(await dueIn('purged-again')).toBeGreaterThanOrEqual(-60_000);
    expect(await dueIn('purged-again')).toBeLessThan(hour);
    expect(Math.round((await dueIn('purged-at-last')) / hour)).toBe(24);
  }
});

it('forgets the words that only the corrections of a permanently deleted entry have', async () => {
  const { id: userId } = await makeUser();
  const correct = async (corrected: string) => {
    const { id: entryId } = await makeEntry(userId, { durationMs: null });
    const words = storedWords('I called chevonne and neve and anna');
    await publishTranscript({ userId, entryId }, { words, language: 'en', estimated: false, engine: null });
    await saveTranscription(userId, entryId, said(corrected));
    await learnFromCorrections({ userId, entryId });
    return entryId;
  };
  const purged = await correct('I called Siobhan and Niamh and anna');
  await correct('I called chevonne and Niamh and Anja');
  expect(new Set(await vocabularyOf(userId))).toEqual(new Set(['Siobhan', 'Niamh', 'Anja']));
  await removeEntry(userId, purged);
  await purgeEntry(userId, purged);
  expect(new Set(await vocabularyOf(userId))).toEqual(new Set(['Niamh', 'Anja']));
});

it('is closed to others', async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const id = await trashed(owner.id);
  expect(await listTrash(stranger.id)).toEqual([]);
  await expect(restoreEntry(stranger.id, id)).rejects.toEqual(error('not_found'));
  await expect(purgeEntry(stranger.id, id)).rejects.toEqual(error('not_found'));
  expect(await idsOf(owner.id)).toEqual([id]);
});

it('purges after 30 days, and an upload that was never whole once its address has expired', async () => {
  const user = await makeUser();
  const [old, young] = [await trashed(user.id), await trashed(user.id)];
  const unfinished = { videoStatus: 'uploading', videoKey: null } as const;
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const upload = await trashed(user.id, { ...unfinished, uploadExpiresAt: inMinutes(-1) });
  const inParts = await trashed(user.id, unfinished);
  const open = await trashed(user.id, { ...unfinished, uploadExpiresAt: inMinutes(5) });
  expect(await idsOf(user.id)).toEqual([young, old]);
  expect(await eventsOf(upload)).toEqual(['entry/purged']);
  await expect(restoreEntry(user.id, upload)).rejects.toEqual(error('not_found'));
  await age(old, 30 * 24 + 1);
  await age(young, 29 * 24);
  await age(inParts, 2);
  await age(open, 2);
  await purgeOldTrash();
  const left = await db().select({ id: entries.id }).from(entries).where(eq(entries.userId, user.id));
  expect(left.map(({ id }) => id).sort()).toEqual([young, open].sort());
  expect(await eventsOf(old)).toEqual(PURGED);
  // What has arrived since the removal goes as well.
  for (const id of [upload, inParts]) expect(await eventsOf(id)).toEqual(['entry/purged', ...PURGED]);
});

it('purges the others when one entry cannot be purged, and that one when it can', async () => {
  const user = await makeUser();
  const due = [await trashed(user.id), await trashed(user.id), await trashed(user.id)];
  for (const id of due) await age(id, 30 * 24 + 1);
  const [first, stuck = '', last] = due;
  const stop = await refuseWrites('entries', 'delete', `old.id = '${stuck}'`);
  await expect(purgeOldTrash()).rejects.toThrow();
  expect(await idsOf(user.id)).toEqual([stuck]);
  for (const id of [first, last]) expect(await eventsOf(id ?? '')).toEqual(PURGED);
  expect(await eventsOf(stuck)).toEqual([]);
  await stop();
  await purgeOldTrash();
  expect(await idsOf(user.id)).toEqual([]);
  expect(await eventsOf(stuck)).toEqual(PURGED);
});

it('leaves alone what is restored while it purges others', async () => {
  const user = await makeUser();
  const old = { trashedAt: new Date(Date.now() - 31 * 24 * 3_600_000) };
  const first = await makeEntry(user.id, old);
  await addNote(first.id, 'The walk by the river');
  // The first of two transactions purges 500, and waits for the note.
  await db()
    .insert(entries)
    .values(Array.from({ length: 499 }, () => ({ ...first, id: uuidv7() })));
  const { id: last } = await makeEntry(user.id, old);
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.select().from(notes).where(eq(notes.entryId, first.id)).for('update'),
    purgeOldTrash,
    { finish: () => restoreEntry(user.id, last) },
  );
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  const left = await db().select({ id: entries.id }).from(entries).where(eq(entries.userId, user.id));
  expect(left).toEqual([{ id: last }]);
});
