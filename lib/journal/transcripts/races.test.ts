import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { entryJobs } from '@/db/schema/jobs';
import { transcriptParts, transcriptPassages, transcripts } from '@/db/schema/transcripts';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { createImport } from '@/lib/portability/imports/history/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { deleteDraft, saveDraft } from './draft';
import { learnFromCorrections } from './learn';
import { publishTranscriptParts, savePassage, saveProgress, saveTranscriptPart } from './machine-transcript';
import { saveTranscription } from './revisions';
import { failTranscript, retryTranscription } from './service';
import { vocabularyOf } from './vocabulary';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const heard = (text: string) => ({
  words: storedWords(text),
  language: 'en',
  estimated: false,
  engine: 'whisper-1',
});

async function transcribing(values: Parameters<typeof makeEntry>[1] = {}, owner?: string) {
  const userId = owner ?? (await makeUser()).id;
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing', ...values });
  return { userId, entryId };
}

/** Returns all rows of an entry and its transcript. */
const rowsOf = async ({ entryId }: { entryId: string }) => ({
  entry: await db().select().from(entries).where(eq(entries.id, entryId)),
  revisions: await db()
    .select()
    .from(transcripts)
    .where(eq(transcripts.entryId, entryId))
    .orderBy(transcripts.revision),
  parts: await db().select().from(transcriptParts).where(eq(transcriptParts.entryId, entryId)),
  passages: await db().select().from(transcriptPassages).where(eq(transcriptPassages.entryId, entryId)),
});

describe('what the engine hears', () => {
  const passage = { part: 0, startMs: 0, endMs: 1000, voiced: 1, logProbability: -0.1, tokens: 1 };

  it.each([
    ['part', (entry: Parameters<typeof savePassage>[0]) => saveTranscriptPart(entry, 0, heard('Late'))],
    [
      'passage',
      (entry: Parameters<typeof savePassage>[0]) =>
        savePassage(entry, { ...passage, words: storedWords('Late') }),
    ],
  ])('isn’t stored as a %s of an entry that’s permanently deleted meanwhile', async (_, save) => {
    const entry = await transcribing();
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.delete(entries).where(eq(entries.id, entry.entryId)),
      () => save(entry),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: false }]);
  });

  it('doesn’t replace an original that’s corrected at the same moment', async () => {
    const entry = await transcribing();
    await saveDraft(entry.userId, entry.entryId, said('I called Dan'), -0.5);
    await saveTranscriptPart(entry, 0, heard('I mauled Dan'));
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        const words = storedWords('I called Dad');
        await tx.select().from(entries).where(eq(entries.id, entry.entryId)).for('update');
        await tx.insert(transcripts).values({ entryId: entry.entryId, revision: 1, words });
      },
      () => publishTranscriptParts(entry, 1),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await rowsOf(entry)).revisions).toMatchObject([
      { revision: 0, words: storedWords('I called Dan'), draft: false },
      { revision: 1, words: storedWords('I called Dad') },
    ]);
  });

  it('is published once when two attempts do', async () => {
    const entry = await transcribing();
    await saveTranscriptPart(entry, 0, heard('I called Dad'));
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await tx.delete(transcriptParts).where(eq(transcriptParts.entryId, entry.entryId));
        await tx.update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, entry.entryId));
      },
      () => publishTranscriptParts(entry, 1),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: undefined }]);
  });

  it('changes nothing when it comes after the end: neither a progress nor parts published again', async () => {
    const entry = await transcribing();
    await publishTranscript(entry, heard('I called Dad'));
    const before = await rowsOf(entry);
    expect(before).toMatchObject({
      entry: [{ transcriptStatus: 'completed' }],
      revisions: [{ revision: 0 }],
    });
    await saveProgress(entry, 30);
    await publishTranscriptParts(entry, 1);
    expect(await rowsOf(entry)).toEqual(before);
  });

  it('leaves a title that’s changed at the same moment', async () => {
    const entry = await transcribing({ title: 'IMG_1' });
    const { id: importId } = await createImport(entry.userId, { kind: 'files', name: 'Phone' });
    await db().insert(importedEntries).values({
      entryId: entry.entryId,
      importId,
      date: '2026-01-15',
      content: '',
      placeholderTitle: 'IMG_1',
    });
    await saveTranscriptPart(entry, 0, heard('I called Dad'));
    const { waited } = await duringTransaction(
      (tx) => tx.update(entries).set({ title: 'Sunday' }).where(eq(entries.id, entry.entryId)),
      () => publishTranscriptParts(entry, 1),
    );
    expect(waited).toBe(true);
    expect((await rowsOf(entry)).entry).toMatchObject([{ title: 'Sunday', transcriptStatus: 'completed' }]);
  });
});

describe('the end of a transcription', () => {
  it.each([
    ['it was published', { transcriptStatus: 'completed' }, undefined],
    ['it failed', { transcriptStatus: 'failed', transcriptError: 'Away.' }, undefined],
    ['a later run has started', {}, 1],
  ] as const)('with an error changes nothing after %s', async (_, values, generation) => {
    const entry = await transcribing(values);
    await saveTranscriptPart(entry, 0, heard('I called Dad'));
    for (let n = 0; n < 2; n += 1) await startJobs(db(), 'transcript', [entry]);
    const before = await rowsOf(entry);
    expect(before).toMatchObject({ entry: [values], parts: [{ part: 0 }] });
    await failTranscript(entry, 'Late.', generation === undefined ? {} : { generation });
    expect(await rowsOf(entry)).toEqual(before);
    expect((await rowsOf(entry)).entry).not.toMatchObject([{ transcriptError: 'Late.' }]);
  });

  it('with an error is that of one entry', async () => {
    const entry = await transcribing();
    const other = await transcribing({}, entry.userId);
    await saveTranscriptPart(other, 0, heard('I called Dad'));
    const before = await rowsOf(other);
    await failTranscript(entry, 'Away.');
    const failed = { transcriptStatus: 'failed', transcriptError: 'Away.' };
    expect((await rowsOf(entry)).entry).toMatchObject([failed]);
    expect(await rowsOf(other)).toEqual(before);
  });

  it('is asked for again once when two requests do', async () => {
    const entry = await transcribing({ transcriptStatus: 'failed' });
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ transcriptStatus: 'processing' }).where(eq(entries.id, entry.entryId)),
      () => retryTranscription(entry.userId, entry.entryId),
    );
    expect([waited, outcome]).toMatchObject([true, { status: 'rejected', reason: { code: 'conflict' } }]);
    expect(await db().$count(entryJobs, eq(entryJobs.entryId, entry.entryId))).toBe(0);
  });
});

describe('a draft from the browser', () => {
  it('changes nothing when it comes after the engine’s transcript', async () => {
    const entry = await transcribing();
    await publishTranscript(entry, heard('I called Dad'));
    // Another transcription of it is under way.
    await db()
      .update(entries)
      .set({ transcriptStatus: 'processing', language: 'de' })
      .where(eq(entries.id, entry.entryId));
    const before = await rowsOf(entry);
    await saveDraft(entry.userId, entry.entryId, said('I mauled Dad'), -0.01);
    expect(await rowsOf(entry)).toEqual(before);
  });

  it('isn’t stored when the engine finds at the same moment that nobody spoke', async () => {
    const entry = await transcribing();
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ transcriptStatus: 'no_speech' }).where(eq(entries.id, entry.entryId)),
      () => saveDraft(entry.userId, entry.entryId, said('Hum'), -0.5),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await rowsOf(entry)).toMatchObject({ entry: [{ language: null }], revisions: [] });
  });

  it('stays once it’s corrected, though the engine finds at the same moment that it isn’t English', async () => {
    const entry = await transcribing();
    await saveDraft(entry.userId, entry.entryId, said('I called Dan'), -0.5);
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        const words = storedWords('I called Dad');
        await tx.update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, entry.entryId));
        await tx.insert(transcripts).values({ entryId: entry.entryId, revision: 1, words });
      },
      () => deleteDraft(entry),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: false }]);
    expect((await rowsOf(entry)).revisions).toHaveLength(2);
  });
});

describe('a correction', () => {
  it('follows one that’s saved at the same moment', async () => {
    const entry = await transcribing();
    await publishTranscript(entry, heard('I called Dan'));
    const { waited, outcome } = await duringTransaction(
      (tx) =>
        tx
          .insert(transcripts)
          .values({ entryId: entry.entryId, revision: 1, words: storedWords('I called Dad') }),
      () => saveTranscription(entry.userId, entry.entryId, said('I called Mom')),
    );
    expect([waited, outcome]).toMatchObject([true, { status: 'fulfilled', value: { revision: 2 } }]);
  });

  it('is learned from once when two jobs do', async () => {
    const entry = await transcribing({ durationMs: null });
    await publishTranscript(entry, heard('I called chevonne today'));
    await saveTranscription(entry.userId, entry.entryId, said('I called Siobhan today'));
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ learnedRevision: 1 }).where(eq(entries.id, entry.entryId)),
      () => learnFromCorrections(entry),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    // What the other one has learned isn't there, so this would be the second time.
    expect(await vocabularyOf(entry.userId)).toEqual([]);
  });
});
