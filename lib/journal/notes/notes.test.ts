import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, notes } from '@/db/schema/entries';
import { lockTextUsage, MAX_TEXT_BYTES } from '@/lib/billing/plans/text-limits';
import { getEntry } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { deleteNote, editNote, listNotes, postNote } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const notFound = expect.objectContaining({ code: 'not_found' });

it('keeps notes newest first, as the entry shows them too', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const first = await postNote(user.id, entry.id, { text: 'First', moment: 12.3456 });
  const second = await postNote(user.id, entry.id, { text: 'Second' });
  expect(first).toMatchObject({ text: 'First', moment: 12.346 });
  expect(second.moment).toBeNull();
  const listed = await listNotes(user.id, entry.id);
  expect(listed).toEqual([second, first]);
  expect((await getEntry(user.id, entry.id)).notes).toEqual(listed);
});

it('changes the text, and the moment only when one is given', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const { id, createdAt } = await postNote(user.id, entry.id, { text: 'Befor', moment: 3 });
  expect(await editNote(user.id, entry.id, id, { text: 'Before' })).toEqual({
    id,
    createdAt,
    text: 'Before',
    moment: 3,
  });
  expect((await editNote(user.id, entry.id, id, { text: 'After', moment: null })).moment).toBeNull();
});

it('may use the account’s text up to its limit, to the byte', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id, { textBytes: MAX_TEXT_BYTES - 1000 });
  const post = (bytes: number) => postNote(user.id, entry.id, { text: 'x'.repeat(bytes) });
  const usage = await db().transaction((tx) => lockTextUsage(tx, user.id));
  const free = MAX_TEXT_BYTES - usage.bytes;
  await expect(post(free + 1)).rejects.toMatchObject({ code: 'quota_reached' });
  await expect(post(free)).resolves.toMatchObject({ text: 'x'.repeat(free) });
});

it('adds a note once, however often its request is repeated', async () => {
  const user = await makeUser();
  const [entry, other] = [await makeEntry(user.id), await makeEntry(user.id)];
  const draft = { text: 'Once', moment: 2, client_id: randomUUID() };
  const posted = await Promise.all(Array.from({ length: 5 }, () => postNote(user.id, entry.id, draft)));
  expect(new Set(posted.map(({ id }) => id)).size).toBe(1);
  const changed = await editNote(user.id, entry.id, posted[0]?.id ?? '', { text: 'Changed since' });
  expect(await postNote(user.id, entry.id, draft)).toEqual(changed);
  expect(await listNotes(user.id, entry.id)).toEqual([changed]);
  await postNote(user.id, other.id, draft);
  expect(await listNotes(user.id, other.id)).toHaveLength(1);
});

it('keeps the time a note was written at, up to 90 days back', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const day = 24 * 60 * 60 * 1000;
  const posted = async (days: number) => {
    const createdAt = new Date(Date.now() + days * day).toISOString();
    const note = await postNote(user.id, entry.id, { text: `${days}`, createdAt });
    return Math.round(Math.abs(Date.parse(note.createdAt) - Date.now()) / day);
  };
  expect(await posted(-2)).toBe(2);
  expect(await posted(-400)).toBe(90);
  expect(await posted(3)).toBe(0);
  expect((await listNotes(user.id, entry.id)).map(({ text }) => text)).toEqual(['3', '-2', '-400']);
});

it('saves no change over another one, and the same change twice', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const { id } = await postNote(user.id, entry.id, { text: 'Base' });
  const edit = (text: string, before: string) => editNote(user.id, entry.id, id, { text, before });
  expect((await edit('Mine', 'Base')).text).toBe('Mine');
  expect((await edit('Mine', 'Base')).text).toBe('Mine');
  await expect(edit('Theirs', 'Base')).rejects.toEqual(expect.objectContaining({ code: 'conflict' }));
  expect((await listNotes(user.id, entry.id))[0]?.text).toBe('Mine');
  await deleteNote(user.id, entry.id, id);
  await expect(edit('Late', 'Mine')).rejects.toEqual(notFound);
});

it('saves no change over one that’s made at the same moment', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const { id } = await postNote(user.id, entry.id, { text: 'Base' });
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.update(notes).set({ text: 'Mine' }).where(eq(notes.id, id)),
    () => editNote(user.id, entry.id, id, { text: 'Theirs', before: 'Base' }),
  );
  expect([waited, outcome]).toMatchObject([true, { status: 'rejected', reason: { code: 'conflict' } }]);
  expect((await listNotes(user.id, entry.id)).map(({ text }) => text)).toEqual(['Mine']);
});

it('adds no note to an entry that’s permanently deleted at the same moment', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id, { videoStatus: 'uploading' });
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.delete(entries).where(eq(entries.id, entry.id)),
    () => postNote(user.id, entry.id, { text: 'Late' }),
  );
  expect([waited, outcome]).toEqual([true, { status: 'rejected', reason: notFound }]);
});

it('deletes a note once', async () => {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  const { id } = await postNote(user.id, entry.id, { text: 'Gone' });
  await deleteNote(user.id, entry.id, id);
  expect(await listNotes(user.id, entry.id)).toEqual([]);
  await expect(deleteNote(user.id, entry.id, id)).rejects.toEqual(notFound);
});

it('is closed to others, to other entries and to the trash', async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const [entry, other] = [await makeEntry(owner.id), await makeEntry(owner.id)];
  const theirs = await makeEntry(stranger.id);
  const { id } = await postNote(owner.id, entry.id, { text: 'Mine' });
  for (const [userId, entryId] of [
    [stranger.id, entry.id],
    [stranger.id, theirs.id],
    [owner.id, other.id],
  ] as const) {
    await expect(editNote(userId, entryId, id, { text: 'Theirs' })).rejects.toEqual(notFound);
    await expect(deleteNote(userId, entryId, id)).rejects.toEqual(notFound);
  }
  await expect(listNotes(stranger.id, entry.id)).rejects.toEqual(notFound);
  await expect(postNote(stranger.id, entry.id, { text: 'Theirs' })).rejects.toEqual(notFound);
  expect((await listNotes(owner.id, entry.id)).map((note) => note.text)).toEqual(['Mine']);
  await removeEntry(owner.id, entry.id);
  await expect(listNotes(owner.id, entry.id)).rejects.toEqual(notFound);
  await expect(editNote(owner.id, entry.id, id, { text: 'Late' })).rejects.toEqual(notFound);
});
