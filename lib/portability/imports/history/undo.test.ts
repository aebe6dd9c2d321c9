import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { imports } from '@/db/schema/imports';
import { vocabulary } from '@/db/schema/transcripts';
import { planDetails } from '@/lib/billing/plans/service';
import { listTrash, removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { hideMemory } from '@/lib/journal/memories/service';
import { listTags, setEntryTags } from '@/lib/journal/tags/service';
import { learnFromCorrections } from '@/lib/journal/transcripts/learn';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import * as contract from '@/lib/portability/imports/archive/contract';
import { importJournal } from '@/lib/portability/imports/archive/service';
import { journalRequests } from '@/lib/portability/imports/archive/shared/requests';
import { listClips } from '@/lib/portability/imports/clips/service';
import { openClip, sendClip } from '@/test/clip-fixtures';
import { makeEntryWithContent, makeTag } from '@/test/entry-fixtures';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { importAll, importOne, openImport, startImport } from '@/test/import-fixtures';
import { observe } from '@/test/observed-account';
import { fullArchive, smallArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';
import { said } from '@/test/transcript-fixtures';
import { listImports } from './service';
import { undoImport } from './undo';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const tagNames = async (userId: string) => (await listTags(userId)).map(({ name }) => name);

/** Makes an account with entries, tags, learned words, and hidden memories, some of which the archive has, too. */
async function makeJournal() {
  const { id: userId } = await makeUser({ grantedPlan: 'Standard' });
  const tagId = await makeTag(userId, 'FAMILY');
  await makeTag(userId, 'unused');
  const entry = await makeEntryWithContent(userId, {
    words: 'we saw a lighthouse',
    tag: 'Sea',
    note: 'Call',
  });
  await setEntryTags(userId, entry, [tagId]);
  const trashed = await makeEntryWithContent(userId, { title: 'Old', tag: 'Past' });
  await removeEntry(userId, trashed);
  await db().insert(vocabulary).values({ userId, word: 'kayak' });
  await hideMemory(userId, { date: { year: 2024, month: 5, day: 1 } });
  return { userId, entry, trashed };
}

describe('undoing an import', () => {
  it('brings the account back to where it was', async () => {
    const { userId, trashed } = await makeJournal();
    const before = await observe(userId);
    const { journal, files } = fullArchive();
    const importId = await importAll(userId, journal, files);
    const more = [
      { name: 'Boats', color: '#112233' },
      { name: 'sea', color: '#000000' },
    ];
    await sendClip(userId, importId, { tags: more });
    await sendClip(userId, importId, { clip_id: 'removed', tags: more });
    await openClip(userId, importId, { clip_id: 'unfinished', size: 2000, tags: more });
    const [first = ''] = (await listTags(userId)).filter(({ name }) => name === 'Trip').map(({ id }) => id);
    expect(first).not.toBe('');
    expect(await observe(userId)).not.toEqual(before);
    expect(await undoImport(userId, importId)).toEqual({ entryCount: 4 });
    expect(await observe(userId)).toEqual(before);
    expect(await tagNames(userId)).toEqual(['FAMILY', 'Past', 'Sea', 'unused']);
    expect((await listTrash(userId)).map(({ id }) => id)).toContain(trashed);
    expect(await listTrash(userId)).toHaveLength(5);
    expect(await undoImport(userId, importId)).toEqual({ entryCount: 4 });
    expect(await observe(userId)).toEqual(before);
  });

  it('keeps what its owner has used since', async () => {
    const { userId, entry, trashed } = await makeJournal();
    const { journal, files } = fullArchive();
    const importId = await importAll(userId, journal, files);
    const boats = [{ name: 'Boats', color: '#112233' }];
    await sendClip(userId, importId, { tags: boats });
    const find = async (name: string) => (await listTags(userId)).find((tag) => tag.name === name)?.id ?? '';
    const boat = await find('Boats');
    await setEntryTags(userId, entry, [await find('Trip')]);
    await db().insert(entryTags).values({ entryId: trashed, tagId: boat });
    await undoImport(userId, importId);
    expect(await tagNames(userId)).toEqual(['Boats', 'FAMILY', 'Past', 'Sea', 'Trip', 'unused']);
    // They're its owner's now, so no later undo takes them.
    expect(await db().$count(tags, eq(tags.importId, importId))).toBe(0);
  });

  it('leaves tags to another import that has them, whichever is undone first', async () => {
    for (const isFirst of [true, false]) {
      const { id: userId } = await makeUser();
      const [a, b] = [await startImport(userId), await startImport(userId)];
      const boats = [{ name: 'Boats', color: '#112233' }];
      await sendClip(userId, a, { tags: boats });
      await sendClip(userId, b, { tags: boats });
      await undoImport(userId, isFirst ? a : b);
      expect(await tagNames(userId)).toEqual(['Boats']);
      await undoImport(userId, isFirst ? b : a);
      expect(await tagNames(userId)).toEqual([]);
    }
  });

  it('tells how many entries it has moved, also if the database’s clock is behind', async () => {
    const { id: userId } = await makeUser();
    const importId = await startImport(userId);
    await sendClip(userId, importId);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await undoImport(userId, importId).finally(() => vi.useRealTimers())).toEqual({ entryCount: 1 });
  });

  it('keeps entries that are restored after it', async () => {
    const { id: userId } = await makeUser();
    const importId = await startImport(userId);
    const entryId = await sendClip(userId, importId);
    await sendClip(userId, importId, { clip_id: 'other' });
    await undoImport(userId, importId);
    await restoreEntry(userId, entryId);
    expect(await undoImport(userId, importId)).toEqual({ entryCount: 1 });
    expect((await planDetails(userId)).videoCount).toBe(1);
  });

  it('leaves words that a correction has taught since', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = fullArchive();
    const importId = await importAll(userId, journal, files);
    const entryId = await makeEntryWithContent(userId, { words: 'hello Shivon here' });
    await saveTranscription(userId, entryId, said('hello Siobhan here'));
    await learnFromCorrections({ userId, entryId });
    await undoImport(userId, importId);
    expect(
      (await db().select().from(vocabulary).where(eq(vocabulary.userId, userId))).map(({ word }) => word),
    ).toEqual(['Siobhan']);
  });

  it('stops an import that runs', async () => {
    const { id: userId } = await makeUser({ grantedPlan: 'Standard' });
    const importId = await startImport(userId);
    await sendClip(userId, importId);
    const opened = Array.from({ length: 10 }, (_, n) => openClip(userId, importId, { clip_id: `clip ${n}` }));
    const [undone, ...results] = await Promise.allSettled([undoImport(userId, importId), ...opened]);
    expect(undone).toEqual({ status: 'fulfilled', value: { entryCount: 1 } });
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.filter(({ code }) => code !== 'conflict')).toEqual([]);
    expect(await planDetails(userId)).toMatchObject({ videoCount: 0, storageUse: 0 });
    const { journal, files } = smallArchive();
    const [request] = journalRequests(fullArchive().journal, importId);
    expect([
      await codeOf(openClip(userId, importId, { clip_id: 'late' })),
      await codeOf(openImport(userId, journal, files, undefined, { import_id: importId })),
      await codeOf(importJournal(userId, contract.importJournal.body.parse(request))),
      await codeOf(listClips(userId, importId)),
    ]).toEqual(['conflict', 'conflict', 'conflict', 'conflict']);
    expect(await db().$count(entries, eq(entries.userId, userId))).toBe(1);
  });

  it('runs once, however often it’s called', async () => {
    const { id: userId } = await makeUser();
    const importId = await startImport(userId);
    for (let n = 0; n < 3; n += 1) await sendClip(userId, importId, { clip_id: `clip ${n}` });
    const undone = await Promise.all(Array.from({ length: 5 }, () => undoImport(userId, importId)));
    expect(undone.at(-1)).toEqual({ entryCount: 3 });
    expect(await listTrash(userId)).toHaveLength(3);
  });

  it('is possible for 30 days, and for its owner', async () => {
    const { id: userId } = await makeUser();
    const { id: stranger } = await makeUser();
    const importId = await startImport(userId);
    await sendClip(userId, importId);
    const { journal, files } = smallArchive();
    const [request] = journalRequests(fullArchive().journal, importId);
    expect([
      await codeOf(undoImport(stranger, importId)),
      await codeOf(openImport(stranger, journal, files, undefined, { import_id: importId })),
      await codeOf(importJournal(stranger, contract.importJournal.body.parse(request))),
    ]).toEqual(['not_found', 'not_found', 'not_found']);
    const age = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);
    await db()
      .update(imports)
      .set({ createdAt: age(30.01) })
      .where(eq(imports.id, importId));
    expect(await codeOf(undoImport(userId, importId))).toBe('conflict');
    expect(await listImports(userId)).toEqual({ imports: [] });
    await db()
      .update(imports)
      .set({ createdAt: age(29.99) })
      .where(eq(imports.id, importId));
    expect(await undoImport(userId, importId)).toEqual({ entryCount: 1 });
  });
});

describe('an import that goes on as another one', () => {
  it('is undone as a whole', async () => {
    const { id: userId } = await makeUser();
    const before = await observe(userId);
    const { journal, files } = fullArchive();
    const abandoned = await startImport(userId);
    for (const request of journalRequests(journal, abandoned))
      await importJournal(userId, contract.importJournal.body.parse(request));
    await importOne(userId, journal, files, { stop: 'revisions', importId: abandoned });
    const importId = await importAll(userId, journal, files);
    await undoImport(userId, importId);
    expect(await observe(userId)).toEqual(before);
  });
});
