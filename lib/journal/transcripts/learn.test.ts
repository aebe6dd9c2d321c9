import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { vocabulary } from '@/db/schema/transcripts';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { learnFromCorrections } from './learn';
import { restoreRevision, saveTranscription } from './revisions';
import { vocabularyOf } from './vocabulary';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;
let entryId: string;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
beforeEach(async () => {
  userId = (await makeUser()).id;
  entryId = (await makeEntry(userId, { durationMs: null })).id;
  const words = storedWords('I called Chevonne and Neve today');
  await publishTranscript({ userId, entryId }, { words, language: 'en', estimated: false, engine: null });
});

const correct = (text: string) => saveTranscription(userId, entryId, said(text));
const learn = () => learnFromCorrections({ userId, entryId });
const learned = async () => (await vocabularyOf(userId)).sort();

const eventsOf = async () =>
  (
    await db()
      .select()
      .from(outbox)
      .where(like(outbox.id, `vocabulary-${entryId}-%`))
  )
    .map(({ payload }) => JSON.parse(payload))
    .sort((one, other) => one.data.revision - other.data.revision);

describe('learning from corrections', () => {
  it('is left to a job, whose event goes out with the correction and has no words', async () => {
    await correct('I called Siobhan and Neve today');
    expect(await learned()).toEqual([]);
    await correct('I called Siobhan and Neve today');
    await restoreRevision(userId, entryId, 0);
    expect(await eventsOf()).toEqual(
      [1, 2].map((revision) => ({
        name: 'entry/transcript.corrected',
        data: { entryId, userId, revision },
      })),
    );
  });

  it('learns from all corrections when only the last one’s job runs, and once when all of them do', async () => {
    await correct('I called Siobahn and Niamh today');
    await correct('I called Siobhan and Niamh today');
    await learn();
    expect(await learned()).toEqual(['Niamh', 'Siobhan']);
    const before = await db().select().from(vocabulary);
    await Promise.all([learn(), learn()]);
    expect(await db().select().from(vocabulary)).toEqual(before);
  });

  it('forgets what was taken out since the last time it learned', async () => {
    await correct('I called Siobhan and Niamh today');
    await learn();
    await correct('I called Siobhan and Maeve today');
    await correct('I called Shannon and Maeve today');
    await learn();
    expect(await learned()).toEqual(['Maeve', 'Shannon']);
  });

  it('takes only what’s new from a transcript that was corrected before there was a job', async () => {
    await correct('I called Siobhan and Neve today');
    // As the previous release left it: learned with the correction, and without a number.
    await db().execute('update entries set learned_revision = null');
    await correct('I called Siobhan and Niamh today');
    await learn();
    expect(await learned()).toEqual(['Niamh']);
  });

  it('learns nothing for others, from a transcript without an original, or after the entry is gone', async () => {
    await correct('I called Siobhan and Niamh today');
    await learnFromCorrections({ userId: (await makeUser()).id, entryId });
    expect(await learned()).toEqual([]);
    const { id } = await makeEntry(userId, { durationMs: null, transcriptStatus: 'failed' });
    for (const text of ['we saw anna', 'we saw Ana']) await saveTranscription(userId, id, said(text));
    await learnFromCorrections({ userId, entryId: id });
    await db().execute(`delete from entries where id = '${entryId}'`);
    await learn();
    expect(await learned()).toEqual([]);
  });

  it('changes nothing when it’s repeated, nor without a correction that asks for it', async () => {
    const entry = async () =>
      (
        await db()
          .select({ version: sql`xmin::text`, learned: entries.learnedRevision })
          .from(entries)
          .where(eq(entries.id, entryId))
      )[0];
    const heard = await entry();
    await learn();
    expect(await entry()).toEqual(heard);
    await correct('I called Siobhan and Neve today');
    await learn();
    const done = await entry();
    await learn();
    expect([await entry(), await learned()]).toEqual([done, ['Siobhan']]);
    await correct('I called Siobhan and Niamh today');
    // From before corrections were counted.
    await db().update(entries).set({ learnedRevision: null }).where(eq(entries.id, entryId));
    await learn();
    expect([(await entry())?.learned, await learned()]).toEqual([null, ['Siobhan']]);
  });

  it('forgets more words than a statement may have parameters', async () => {
    const letters = (n: number) =>
      n.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
    const text = (first: string) =>
      ['we', ...Array.from({ length: 70_000 }, (_, n) => `${first}${letters(n)}x`)].join(' ');
    const heard = { language: 'en', estimated: false, engine: null };
    await publishTranscript({ userId, entryId }, { words: storedWords(text('a')), ...heard });
    await correct(text('B'));
    await learn();
    expect(await learned()).toHaveLength(200);
    await correct('we said nothing');
    await learn();
    expect(await learned()).toEqual([]);
  });
});
