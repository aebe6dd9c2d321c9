import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, notes, tags } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { retryTranscription } from '@/lib/journal/transcripts/service';
import { useFreshDatabase } from '@/test/app-database';
import { searchEntryIds } from '@/test/entry-fixtures';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { captureStatements } from '@/test/statements';
import { publishTranscript } from '@/test/transcript-fixtures';
import { dashboard } from './dashboard';
import { journalPage } from './gallery';
import { getEntry, listEntries, mediaAddress, updateEntry } from './service';
import { removeEntry } from './trash';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const tagId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

describe('an entry', () => {
  it('comes whole, with its tags by name, its notes newest first and its words', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { title: 'Frost', date: '2026-02-03', language: 'en' });
    await db()
      .insert(tags)
      .values([
        { id: tagId(1), userId: user.id, name: 'work' },
        { id: tagId(2), userId: user.id, name: 'Family', color: '#ff0000' },
      ]);
    await db()
      .insert(entryTags)
      .values([
        { entryId: id, tagId: tagId(1) },
        { entryId: id, tagId: tagId(2) },
      ]);
    await db()
      .insert(notes)
      .values([
        { id: tagId(3), entryId: id, text: 'first', createdAt: new Date('2026-02-03T10:00:00.123Z') },
        { id: tagId(4), entryId: id, text: 'second', createdAt: new Date('2026-02-04T10:00:00Z') },
      ]);
    await publishTranscript(
      { userId: user.id, entryId: id },
      {
        words: [['hello', 0.5, 0.9]],
        language: 'en',
        estimated: false,
        engine: null,
      },
    );
    expect(await getEntry(user.id, id)).toMatchObject({
      id,
      title: 'Frost',
      date: { day: 3, month: 2, year: 2026 },
      status: 'completed',
      videoStatus: 'ready',
      videoUrl: `/api/v1/entry/${id}/video?v=video.mp4`,
      duration: 60,
      tags: [
        { name: 'Family', color: '#ff0000' },
        { name: 'work', color: '#FFFFFF' },
      ],
      notes: [
        { text: 'second', createdAt: '2026-02-04T10:00:00.000Z' },
        { text: 'first', createdAt: '2026-02-03T10:00:00.123Z' },
      ],
      transcription: {
        status: 'completed',
        language: 'en',
        words: [{ word: 'hello', start_time: 0.5, end_time: 0.9 }],
      },
    });
  });

  it('keeps the question that it answers until it’s changed or removed, and search finds it', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId);
    const asked = async () => (await getEntry(userId, id)).question;
    expect(await asked()).toBeNull();
    const question = 'What did Grandma’s kitchen smell like?';
    expect((await updateEntry(userId, id, { question })).question).toBe(question);
    expect(await searchEntryIds(userId, 'grandmas kitchen')).toEqual([id]);
    await updateEntry(userId, id, { title: 'Cinnamon' });
    expect(await asked()).toBe(question);
    await updateEntry(userId, id, { question: null });
    expect(await asked()).toBeNull();
    expect(await searchEntryIds(userId, 'kitchen')).toEqual([]);
  });

  it('is nobody else’s: a foreign one answers like a missing one, and nothing is written', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const { id } = await makeEntry(owner.id, { title: 'Mine' });
    const tries = [
      getEntry(stranger.id, id),
      updateEntry(stranger.id, id, { title: 'Yours' }),
      removeEntry(stranger.id, id),
      mediaAddress(stranger.id, id, 'video'),
      retryTranscription(stranger.id, id),
    ];
    expect(await Promise.all(tries.map(codeOf))).toEqual(Array(5).fill('not_found'));
    expect((await getEntry(owner.id, id)).title).toBe('Mine');
  });

  it('changes its title with one statement, which returns the whole entry', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { title: 'Frost', date: '2026-02-03' });
    await db()
      .insert(notes)
      .values({ id: tagId(5), entryId: id, text: 'cold' });
    let edited: unknown;
    const statements = await captureStatements(async () => {
      edited = await updateEntry(user.id, id, { title: 'Thaw' });
    });
    expect(statements).toHaveLength(1);
    expect(edited).toMatchObject({ title: 'Thaw', notes: [{ text: 'cold' }] });
    expect(edited).toEqual(await getEntry(user.id, id));
  });

  it('changes its date or title, and nothing else', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { title: 'Frost', date: '2026-02-03' });
    const before = await getEntry(user.id, id);
    const date = { day: 4, month: 3, year: 2025 };
    expect(await updateEntry(user.id, id, { date })).toEqual({ ...before, date });
    expect(await updateEntry(user.id, id, { title: 'Thaw' })).toEqual({ ...before, date, title: 'Thaw' });
  });

  it('is gone from everywhere once it is removed', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { thumbnailKey: 'x/thumbnail.jpg' });
    expect(await codeOf(mediaAddress(user.id, id, 'thumbnail'))).toBe('ok');
    await removeEntry(user.id, id);
    expect(await codeOf(getEntry(user.id, id))).toBe('not_found');
    expect(await codeOf(mediaAddress(user.id, id, 'thumbnail'))).toBe('not_found');
    expect(await codeOf(removeEntry(user.id, id))).toBe('not_found');
    expect((await journalPage(user.id, 1)).total).toBe(0);
    expect((await listEntries(user.id, {})).entries).toEqual([]);
    expect((await dashboard(user.id)).stats.totalEntries).toBe(0);
  });

  it('keeps a person’s corrections when the machine has heard it again', async () => {
    const user = await makeUser();
    const { id } = await makeEntry(user.id, { transcriptStatus: 'processing' });
    const heard = { language: 'en', estimated: false, engine: null };
    await publishTranscript({ userId: user.id, entryId: id }, { ...heard, words: [['wrong', 0, 1]] });
    await db()
      .insert(transcripts)
      .values({ entryId: id, revision: 1, words: [['right', 0, 1]] });
    await publishTranscript({ userId: user.id, entryId: id }, { ...heard, words: [['wrong again', 0, 1]] });
    expect((await getEntry(user.id, id)).transcription.words).toMatchObject([{ word: 'right' }]);
  });

  it('is transcribed again only when that has failed or heard nothing', async () => {
    const user = await makeUser();
    const failed = await makeEntry(user.id, { transcriptStatus: 'failed', transcriptError: 'Busy.' });
    expect(await retryTranscription(user.id, failed.id)).toMatchObject({ status: 'processing', error: null });
    expect(await codeOf(retryTranscription(user.id, failed.id)), 'while it runs').toBe('conflict');
    const silent = await makeEntry(user.id, { transcriptStatus: 'no_speech' });
    expect(await codeOf(retryTranscription(user.id, silent.id))).toBe('ok');
    const done = await makeEntry(user.id);
    expect(await codeOf(retryTranscription(user.id, done.id))).toBe('conflict');
  });
});

describe('the list', () => {
  it('is newest first by date, then by when it was made', async () => {
    const user = await makeUser();
    const at = (date: string, createdAt: string, title: string) =>
      makeEntry(user.id, { date, createdAt: new Date(createdAt), title });
    await at('2026-01-02', '2026-01-02T08:00:00Z', 'c');
    await at('2026-01-03', '2026-01-01T08:00:00Z', 'a');
    await at('2026-01-02', '2026-01-05T08:00:00Z', 'b');
    await at('2025-12-31', '2026-02-05T08:00:00Z', 'd');
    await makeEntry(user.id, {
      date: '2026-06-01',
      videoStatus: 'uploading',
      videoKey: null,
      title: 'not yet',
    });
    const titles = (await listEntries(user.id, {})).entries.map((entry) => entry.title);
    expect(titles).toEqual(['a', 'b', 'c', 'd']);
  });

  it('comes in pages that leave nothing out and repeat nothing', async () => {
    const user = await makeUser();
    for (let n = 0; n < 13; n += 1) {
      await makeEntry(user.id, {
        title: String(n),
        date: '2026-01-02',
        createdAt: new Date('2026-01-02T08:00:00Z'),
      });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEntries(user.id, { limit: 5, cursor });
      expect(page.total).toBe(13);
      seen.push(...page.entries.map((entry) => entry.title));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(13);
    expect(seen).toHaveLength(13);
    const third = await journalPage(user.id, 3);
    expect(third).toMatchObject({ page: 3, pages: 3, total: 13 });
    expect(third.entries).toHaveLength(1);
    expect((await journalPage(user.id, 99)).page).toBe(3);
  });

  it('refuses a cursor that is none of ours', async () => {
    const user = await makeUser();
    const [date, moment, id] = ['2026-01-01', '2026-01-01T00:00:00.000Z', crypto.randomUUID()];
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    await listEntries(user.id, { cursor: encode([date, moment, id]) });
    for (const parts of [
      [date, 'x', 'y'],
      ['2026-02-30', moment, id],
      ['0000-01-01', moment, id],
      [date, '0000-01-01T00:00:00.000Z', id],
      [date, '+275760-09-13T00:00:00.000Z', id],
      [date, `${moment}\0`, id],
      [date, moment, '-'.repeat(36)],
      [date, moment, `${id}\0`],
      [date, moment],
      [date, moment, id, id],
      [[date], {}, null],
      { 0: date },
      null,
    ]) {
      expect(await codeOf(listEntries(user.id, { cursor: encode(parts) }))).toBe('validation_failed');
    }
    for (const cursor of ['x', '\0', '_____w', 'é']) {
      expect(await codeOf(listEntries(user.id, { cursor }))).toBe('validation_failed');
    }
  });
});
