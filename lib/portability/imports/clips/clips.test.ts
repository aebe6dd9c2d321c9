import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { tags } from '@/db/schema/entries';
import { planDetails } from '@/lib/billing/plans/service';
import { getEntry, updateEntry } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { abortUpload } from '@/lib/video/uploads/abandoned';
import { clipBody, openClip, sendClip } from '@/test/clip-fixtures';
import { makeTag } from '@/test/entry-fixtures';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { contentOf, idsOf, startImport } from '@/test/import-fixtures';
import { eventsOf, statusOf } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { publishTranscript, storedWords } from '@/test/transcript-fixtures';
import { importClip } from './contract';
import { listClips } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

async function newImport() {
  const { id: userId } = await makeUser();
  return { userId, importId: await startImport(userId) };
}

const details = {
  tags: [
    { name: 'Trip', color: '#AA0000' },
    { name: 'FAMILY', color: '#00AA00' },
  ],
  notes: [{ text: 'From the boat', moment: 1.234, createdAt: '2024-05-02T08:00:00.000Z' }],
};

describe('a clip', () => {
  it('becomes an entry with its date, its time, its tags, and its notes', async () => {
    const { userId, importId } = await newImport();
    await makeTag(userId, 'Family');
    const entryId = await sendClip(userId, importId, {
      ...details,
      recordedAt: '2024-05-01T21:00:00.000Z',
    });
    const early = await sendClip(userId, importId, {
      clip_id: 'early',
      recordedAt: '2024-05-01T07:00:00.000Z',
    });
    const { entries, tags: all } = await contentOf(userId);
    expect(entries).toMatchObject([
      { title: 'VID 20240501', createdAt: new Date('2024-05-01T07:00:00Z'), tags: [] },
      {
        date: '2024-05-01',
        createdAt: new Date('2024-05-01T21:00:00Z'),
        videoStatus: 'uploaded',
        transcriptStatus: 'processing',
        bytes: 1000,
        tags: [{ name: 'Family', color: '#FFFFFF' }, { name: 'Trip' }],
        notes: [{ text: 'From the boat', momentMs: 1234 }],
      },
    ]);
    expect(all.map(({ name }) => name)).toEqual(['Family', 'Trip']);
    expect(await listClips(userId, importId)).toEqual({
      clips: [
        { clipId: clipBody().clip_id, state: 'exists' },
        { clipId: 'early', state: 'exists' },
      ],
    });
    expect([entryId, early]).toEqual((await idsOf(userId)).sort());
  });

  it('is added once, however many requests open it', async () => {
    const { userId, importId } = await newImport();
    const opened = await Promise.all(Array.from({ length: 20 }, () => openClip(userId, importId, details)));
    expect(new Set(opened.map(({ entryId }) => entryId)).size).toBe(1);
    expect(await listClips(userId, importId)).toEqual({
      clips: [{ clipId: clipBody().clip_id, state: 'started' }],
    });
    await sendClip(userId, importId, details);
    expect(await openClip(userId, importId, { size: 7 })).toMatchObject({ exists: true });
    expect((await planDetails(userId)).videoCount).toBe(1);
  });

  it('isn’t added again when it’s in the trash, but when its upload was canceled', async () => {
    const { userId, importId } = await newImport();
    const entryId = await sendClip(userId, importId);
    await removeEntry(userId, entryId);
    expect(await openClip(userId, importId)).toEqual({ entryId, exists: true });
    expect((await listClips(userId, importId)).clips).toMatchObject([{ state: 'exists' }]);
    const { entryId: canceled } = await openClip(userId, importId, { clip_id: 'other' });
    await abortUpload(userId, canceled);
    expect((await listClips(userId, importId)).clips).toHaveLength(1);
    const again = await openClip(userId, importId, { clip_id: 'other' });
    expect(again).toMatchObject({ exists: false });
    await removeEntry(userId, again.entryId);
    expect((await listClips(userId, importId)).clips).toHaveLength(1);
    const { entryId: third } = await openClip(userId, importId, { clip_id: 'other' });
    expect(await idsOf(userId)).toEqual([entryId, third]);
  });

  it('takes new details until its video is complete', async () => {
    const { userId, importId } = await newImport();
    const own = await makeTag(userId, 'Own');
    const first = [...details.tags, { name: 'Own', color: '#000000' }];
    const { entryId } = await openClip(userId, importId, { ...details, tags: first });
    const changed = {
      title: 'On the boat',
      date: '2024-05-03',
      recordedAt: '2024-05-03T10:00:00.000Z',
      tags: [{ name: 'trip', color: '#000000' }],
      notes: [],
    };
    expect(await openClip(userId, importId, changed)).toEqual({ entryId, exists: false });
    const { entries, tags: all } = await contentOf(userId);
    expect(entries).toMatchObject(
      [
        {
          ...changed,
          recordedAt: undefined,
          createdAt: new Date(changed.recordedAt),
          tags: [{ name: 'Trip' }],
        },
      ].map(({ recordedAt: _, ...entry }) => entry),
    );
    // The tag that it alone had is gone. What the account had stays.
    expect(all.map(({ name }) => name)).toEqual(['Own', 'Trip']);
    expect(await db().$count(tags, eq(tags.id, own))).toBe(1);
  });

  it.each([{ size: 2000 }, { content_type: 'video/quicktime' }])('starts over as %o', async (file) => {
    const { userId, importId } = await newImport();
    const { entryId: before } = await openClip(userId, importId);
    const after = await sendClip(userId, importId, file);
    expect(await idsOf(userId)).toEqual([after]);
    expect([await statusOf(before), await statusOf(after)]).toEqual(['gone', 'uploaded']);
    expect(await eventsOf(`purged-${before}`)).toHaveLength(1);
  });

  it('takes its space like any upload', async () => {
    const { userId, importId } = await newImport();
    for (let n = 0; n < 29; n += 1) await makeEntry(userId);
    await openClip(userId, importId);
    expect(await codeOf(openClip(userId, importId, { clip_id: 'one more' }))).toBe('quota_reached');
    expect(await codeOf(openClip(userId, importId, { clip_id: 'huge', size: 4_000_000_001 }))).toBe(
      'too_large',
    );
    const image = { clip_id: 'image', content_type: 'image/png' };
    expect(await codeOf(openClip(userId, importId, image))).toBe('unsupported_media_type');
    expect((await listClips(userId, importId)).clips).toHaveLength(1);
  });

  it('belongs to an import of the account', async () => {
    const { userId, importId } = await newImport();
    const other = await newImport();
    expect(await codeOf(openClip(other.userId, importId))).toBe('not_found');
    expect(await codeOf(listClips(other.userId, importId))).toBe('not_found');
    await openClip(userId, importId);
    await openClip(other.userId, other.importId);
    expect(await idsOf(userId)).toHaveLength(1);
  });

  it.each([
    ['clip_id', ''],
    ['clip_id', 'x'.repeat(201)],
    ['title', ' '],
    ['date', '2024-02-30'],
    ['date', null],
    ['recordedAt', '2999-01-01T00:00:00Z'],
    ['size', 0],
    ['tags', [{ name: 'x', color: 'red;' }]],
    ['titleFromWords', null],
  ])('is refused with a wrong %s (%#)', (name, value) => {
    const accepts = (one: object) => importClip.body.safeParse(one).success;
    expect([accepts(clipBody()), accepts({ ...clipBody(), [name]: value })]).toEqual([true, false]);
  });
});

describe('a clip named by its first words', () => {
  const heard = (text: string) => ({
    words: text === '' ? [] : storedWords(text),
    language: 'en',
    estimated: false,
    engine: null,
  });
  const titleOf = async (userId: string, entryId: string) => (await getEntry(userId, entryId)).title;
  const named = async (titleFromWords = true) => {
    const { userId, importId } = await newImport();
    return { userId, entryId: await sendClip(userId, importId, { titleFromWords }) };
  };

  it('gets them as its title once', async () => {
    const entry = await named();
    await publishTranscript(entry, heard('We saw a whale. It was huge.'));
    expect(await titleOf(entry.userId, entry.entryId)).toBe('We saw a whale');
    await updateEntry(entry.userId, entry.entryId, { title: 'VID 20240501' });
    await publishTranscript(entry, heard('Something else.'));
    expect(await titleOf(entry.userId, entry.entryId)).toBe('VID 20240501');
  });

  it('keeps a title that was changed before, and one that nothing was said about', async () => {
    const changed = await named();
    await updateEntry(changed.userId, changed.entryId, { title: 'Whales' });
    await publishTranscript(changed, heard('We saw a whale.'));
    expect(await titleOf(changed.userId, changed.entryId)).toBe('Whales');
    const silent = await named();
    await publishTranscript(silent, heard(''));
    expect(await titleOf(silent.userId, silent.entryId)).toBe('VID 20240501');
    const titled = await named(false);
    await publishTranscript(titled, heard('We saw a whale.'));
    expect(await titleOf(titled.userId, titled.entryId)).toBe('VID 20240501');
  });
});
