import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { vocabulary } from '@/db/schema/transcripts';
import { videoSettings } from '@/lib/account/profile/service';
import { deleteObject, uploadObject } from '@/lib/clients/storage-objects';
import { saveChecksum, selectKnownFiles } from '@/lib/journal/entries/checksums';
import { entryKey } from '@/lib/journal/entries/keys';
import { removeEntry } from '@/lib/journal/entries/trash';
import { hideMemory } from '@/lib/journal/memories/service';
import { addNote, addTranscript, makeTag } from '@/test/entry-fixtures';
import {
  type EntryValues,
  makeStoredVideo,
  noHurry,
  prepareArchive,
  readArchive,
  requestExport,
} from '@/test/export-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { announce, assemble } from './assemble';
import { type ArchivedJournal, archivedJournal } from './format';
import { layOut, prepareChecksums } from './prepare';
import { getExport } from './service';
import { VIEWER_FILES } from './viewer-files';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Creates an entry with a video of so many random bytes. */
const makeVideo = (userId: string, bytes: number, values: EntryValues = {}) =>
  makeStoredVideo(services.folder('video'), userId, bytes, values);

const failed = { videoStatus: 'failed', videoKey: null } as const;

describe('an archive', () => {
  it('has everything, under readable names, with checksums', async () => {
    const { id: userId, email } = await makeUser();
    const call = await makeVideo(userId, 300_000, {
      title: 'Calling Dad',
      question: 'Who do you owe a call?',
      date: '2025-11-18',
      language: 'en',
    });
    const walk = await makeVideo(userId, 10, { ...failed, title: 'A walk?', fileName: 'IMG 1.MOV' });
    const same = await makeVideo(userId, 20, { ...failed, title: 'a walk', fileName: 'b.mov' });
    await uploadObject(services.folder('video'), entryKey(userId, call.id, 'video.mp4'), 'video/mp4');
    const thumbnailKey = entryKey(userId, call.id, 'thumbnail.jpg');
    await uploadObject(services.folder('video'), thumbnailKey, 'image/jpeg');
    await db().update(entries).set({ thumbnailKey }).where(eq(entries.id, call.id));
    await addTranscript(call.id, 'hello dad </script> it is me');
    await addTranscript(call.id, 'hello Dad it is me', 1);
    await addNote(call.id, 'He laughed.');
    const tagId = await makeTag(userId, 'Family');
    await db().insert(entryTags).values({ entryId: call.id, tagId });
    await hideMemory(userId, { entryId: walk.id });
    await db().insert(vocabulary).values({ userId, word: 'Dad' });

    const run = await requestExport(userId);
    await prepareArchive(run);
    const { files, paths, journal, json } = await readArchive(run);

    for (const path of VIEWER_FILES) expect(files.get(path)?.length, path).toBeGreaterThan(0);
    expect(journal.profile.email).toBe(email);
    expect(journal.settings).toEqual({
      plan: 'Free',
      ...videoSettings(),
      reminder: { enabled: false, hour: 20, timeZone: null },
    });
    expect(journal.vocabulary).toEqual(['Dad']);
    expect(journal.tags).toEqual([{ id: tagId, name: 'Family', color: '#FFFFFF' }]);
    expect(journal.hiddenMemories).toMatchObject([{ entry: walk.id, tag: null, date: null }]);
    const name = '2025/2025-11-18 Calling Dad';
    expect(journal.entries).toMatchObject([
      {
        id: call.id,
        question: 'Who do you owe a call?',
        tags: [tagId],
        notes: [{ text: 'He laughed.' }],
        original: { path: `${name}.mp4`, bytes: 300_000 },
        playable: { path: `${name}.playable.mp4`, bytes: 20 },
        thumbnail: { path: `viewer/thumbnails/${call.id}.jpg`, bytes: 20 },
        transcript: { path: `transcripts/${name}.json` },
      },
      {
        id: walk.id,
        question: null,
        original: { path: '2026/2026-01-15 A walk.mov' },
        playable: null,
        thumbnail: null,
      },
      { id: same.id, original: { path: '2026/2026-01-15 a walk (2).mov' } },
    ]);
    expect(files.get(`${name}.mp4`)).toEqual(call.content);
    expect(files.get(`${name}.txt`)?.toString()).toBe('hello Dad it is me\n');
    // Those that nobody speaks in have no text, subtitles, or captions.
    const written = paths.filter((path) => /^(transcripts\/)?2\d+\/.*\.(txt|srt|vtt)$/.test(path));
    expect(written.sort()).toEqual([`${name}.srt`, `${name}.txt`, `transcripts/${name}.vtt`]);
    expect(json(`transcripts/${name}.json`).revisions).toMatchObject([
      { revision: 0, words: [{ word: 'hello', start: 0, end: 0.5 }, {}, { word: '</script>' }, {}, {}, {}] },
      { revision: 1, words: [{}, { word: 'Dad' }, {}, {}, {}] },
    ]);
    const shown = files.get('viewer/data/2025-11.js')?.toString();
    expect(shown).toContain('"language":"en"');
    // It's a script, which must not end early.
    expect(shown).not.toContain('</');

    const listed = files.get('SHA256SUMS')?.toString().trimEnd().split('\n') ?? [];
    for (const line of listed) {
      const [sum = '', path = ''] = line.split('  ');
      expect([path, sum]).toEqual([
        path,
        createHash('sha256')
          .update(files.get(path) ?? '')
          .digest('hex'),
      ]);
    }
    expect(listed).toHaveLength(paths.length - 1);
    expect(await getExport(userId, run.exportId)).toMatchObject({ status: 'ready', progress: 1 });
    // So that the next archive reads none of it again.
    expect((await selectKnownFiles([call.id])).get(call.id)).toMatchObject({
      source: { bytes: 300_000 },
      'video.mp4': { bytes: 20 },
    });
  });

  it('has a range of years, or a selection without the rest of the journal or the account', async () => {
    const { id: userId, firstName } = await makeUser();
    const [old, middle, late] = await Promise.all(
      ['2019-12-31', '2020-01-01', '2022-06-01'].map((date) => makeEntry(userId, { ...failed, date })),
    );
    const tag = await makeTag(userId, 'Private');
    await db().insert(vocabulary).values({ userId, word: 'Kayak' });
    const hide = [{ entryId: late?.id ?? '' }, { entryId: middle?.id ?? '' }, { entryId: old?.id ?? '' }];
    for (const what of hide) await hideMemory(userId, what);
    await hideMemory(userId, { tagId: tag });
    await hideMemory(userId, { date: { year: 2024, month: 5, day: 1 } });
    const hidden = ({ hiddenMemories }: ArchivedJournal) =>
      hiddenMemories.map((one) => one.entry ?? one.tag ?? one.date);
    const years = await requestExport(userId, { fromYear: 2020, toYear: 2022 });
    await prepareArchive(years);
    const range = await readArchive(years);
    expect(range.journal.entries.map(({ date }) => date)).toEqual(['2020-01-01', '2022-06-01']);
    expect(hidden(range.journal)).toEqual([late?.id, middle?.id, tag, '2024-05-01']);
    expect(range.journal.vocabulary).toEqual(['Kayak']);
    // Storage has lost the videos.
    expect(range.journal.entries.map(({ original }) => original)).toEqual([null, null]);

    const some = await requestExport(userId, { entries: [late?.id ?? '', old?.id ?? '', old?.id ?? ''] });
    await prepareArchive(some);
    const { journal } = await readArchive(some);
    expect(journal.entries.map(({ id }) => id)).toEqual([old?.id, late?.id]);
    expect([journal.tags, journal.vocabulary, hidden(journal)]).toEqual([[], [], [late?.id, old?.id]]);
    const nothing = { lastName: null, email: null, gender: null, dateOfBirth: null, createdAt: null };
    expect(journal.profile).toEqual({ firstName, ...nothing });
    expect(journal.settings).toBeNull();
    expect(archivedJournal.parse(journal)).toEqual(journal);
    expect((await getExport(userId, some.exportId)).fileName).toMatch(/^Daylight .*, 2 entries\.zip$/);
  });

  it('is assembled by attempts that are killed or run out of time, to the same bytes', async () => {
    const { id: userId } = await makeUser();
    for (let count = 0; count < 12; count += 1) await makeVideo(userId, 5_000_000, failed);
    const run = await requestExport(userId);
    // Checksums are found a few at a time, too.
    const passed = { ...noHurry(), deadline: 0 };
    expect(await prepareChecksums(run, passed)).toBe('unfinished');
    expect(await prepareChecksums(run, noHurry())).toBe('done');
    await layOut(run, noHurry());
    expect(await assemble(run, passed)).toBe('unfinished');
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const killed = AbortSignal.timeout(attempt * 7);
      await assemble(run, noHurry(killed)).catch((error: Error) => {
        if (!killed.aborted) throw error;
      });
    }
    expect(await assemble(run, noHurry())).toBe('done');
    // Once more, as if nobody had heard that it was done.
    expect(await assemble(run, noHurry())).toBe('done');
    await announce(run);
    const { files, journal } = await readArchive(run);
    expect(journal.entries).toHaveLength(12);
    for (const { original } of journal.entries) {
      const content = files.get(original?.path ?? '') ?? '';
      expect(createHash('sha256').update(content).digest('hex')).toBe(original?.sha256);
    }
  });

  it('goes on without an entry that’s deleted while its checksums are computed', async () => {
    const { id: userId } = await makeUser();
    const { id: entryId } = await makeVideo(userId, 1000, failed);
    const sums = { bytes: 1000, sha256: 'a', crc32: 1, playable: null };
    await db().delete(entries).where(eq(entries.id, entryId));
    await saveChecksum(db(), entryId, 'source', sums);
    expect(await db().$count(entryFiles, eq(entryFiles.entryId, entryId))).toBe(0);
  });

  it('is laid out again if a video is deleted meanwhile', async () => {
    const { id: userId } = await makeUser();
    const { id: entryId } = await makeVideo(userId, 1000, failed);
    const run = await requestExport(userId);
    await layOut(run, noHurry());
    await removeEntry(userId, entryId);
    await deleteObject(entryKey(userId, entryId, 'source'));
    expect(await assemble(run, noHurry())).toBe('changed');
    await prepareArchive(run);
    expect((await readArchive(run)).journal.entries).toEqual([]);
  });
});
