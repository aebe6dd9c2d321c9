import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDetails } from '@/lib/billing/plans/service';
import { archivedEntry, archivedJournal, archivedTranscript } from '@/test/archive-writer';
import { makeUser } from '@/test/factories';
import { contentOf, idsOf, importAll, importOne, STOPS, statesOf } from '@/test/import-fixtures';
import { eventsOf, statusOf } from '@/test/multipart-fixtures';
import { fullArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('importing an archive', () => {
  it('brings back everything, and importing it twice adds nothing', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = fullArchive();
    expect(await statesOf(userId, journal)).toEqual(['new', 'new']);
    await importAll(userId, journal, files);
    const content = await contentOf(userId);
    expect(content).toMatchObject({
      tags: journal.tags.map(({ name, color }) => ({ name, color })),
      vocabulary: journal.vocabulary,
      hidden: [
        { title: 'The morning I finally called Dad', createdAt: new Date('2025-01-01') },
        { tag: 'Trip', createdAt: new Date('2025-01-02') },
        { date: '2024-05-01', createdAt: new Date('2025-01-03') },
      ],
      entries: [
        {
          title: 'The morning I finally called Dad',
          date: '2024-05-01',
          question: 'Who do you owe a call?',
          createdAt: new Date('2024-05-02T09:59:59.999Z'),
          fileName: 'harbor.mp4',
          contentType: 'video/mp4',
          bytes: 5000,
          videoStatus: 'uploaded',
          transcriptStatus: 'completed',
          language: 'en-US',
          tags: [{ name: 'Family' }, { name: 'Trip' }],
          notes: [
            { text: 'Call again', momentMs: 1234, createdAt: new Date('2024-05-04T08:00:00.001Z') },
            { text: 'Two\nlines', momentMs: null, createdAt: new Date('2024-05-05T08:00:00.002Z') },
          ],
          revisions: archivedTranscript.revisions.map(({ words, createdAt, ...revision }) => ({
            ...revision,
            createdAt: new Date(createdAt),
            words: words.map(({ word, start, end, confidence }) =>
              confidence === undefined ? [word, start, end] : [word, start, end, confidence],
            ),
          })),
        },
        { title: 'Rain', question: null, transcriptStatus: 'no_speech', revisions: [] },
      ],
    });
    await importAll(userId, journal, files);
    expect(await contentOf(userId)).toEqual(content);
    expect(await statesOf(userId, journal)).toEqual(['exists', 'exists']);
  });

  it.each(STOPS)('goes on where it was stopped: %s', async (stop) => {
    const { id: userId } = await makeUser();
    const { id: other } = await makeUser();
    const { journal, files } = fullArchive();
    const entryId = await importOne(userId, journal, files, { stop });
    expect(await statesOf(userId, journal)).toEqual(['started', 'new']);
    expect(await statusOf(entryId)).toBe('uploading');
    await importAll(userId, journal, files);
    await importAll(other, journal, files);
    const withoutTags = ({ sourceEtag, ...rest }: { sourceEtag: string | null }) => rest;
    const [resumed, whole] = await Promise.all([contentOf(userId), contentOf(other)]);
    expect(resumed.entries.map(withoutTags)).toEqual(whole.entries.map(withoutTags));
    expect((await planDetails(userId)).videoCount).toBe(2);
  });

  it('adds each entry once, however many imports run', async () => {
    const { id: userId } = await makeUser();
    const { journal, files } = fullArchive();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => importAll(userId, journal, files)),
    );
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    // Those that were overtaken find out, and there's nothing left for them to do.
    await importAll(userId, journal, files);
    const { entries: imported, tags } = await contentOf(userId);
    expect([imported.length, tags.length]).toEqual([2, 3]);
    expect(imported[0]?.revisions.length).toBe(2);
    const events = await Promise.all((await idsOf(userId)).map((id) => eventsOf(`video-${id}-%`)));
    expect(events.map(({ length }) => length)).toEqual([1, 1]);
  });

  it('adds both of two entries with the same video on the same date', async () => {
    const { id: userId } = await makeUser();
    const files = new Map<string, Buffer>();
    const video = randomBytes(300);
    const journal = archivedJournal([
      archivedEntry(files, video, { title: 'One' }),
      archivedEntry(files, video, { title: 'Two', createdAt: '2024-05-03T00:00:00.000Z' }),
    ]);
    for (let n = 0; n < 2; n += 1) await importAll(userId, journal, files);
    expect((await contentOf(userId)).entries.map(({ title }) => title)).toEqual(['One', 'Two']);
  });
});
