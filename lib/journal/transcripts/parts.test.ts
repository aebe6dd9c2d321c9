import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { transcriptParts, transcripts } from '@/db/schema/transcripts';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { storedWords } from '@/test/transcript-fixtures';
import { publishTranscriptParts, saveTranscriptPart } from './machine-transcript';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

type Heard = Parameters<typeof saveTranscriptPart>[2];

const part = (text: string, more: Partial<Heard> = {}): Heard => ({
  words: text === '' ? [] : storedWords(text),
  ...{ language: 'en', estimated: false, engine: 'whisper-1', logProbability: -0.5, tokens: 1 },
  ...more,
});

/** Saves the parts of a new entry's transcript, each at its index. */
async function entryWithParts(parts: readonly Heard[]) {
  const { id: userId } = await makeUser();
  const entry = { userId, entryId: (await makeEntry(userId, { transcriptStatus: 'processing' })).id };
  for (const [index, heard] of parts.entries()) await saveTranscriptPart(entry, index, heard);
  return entry;
}

const originalOf = async (entryId: string) =>
  (await db().select().from(transcripts).where(eq(transcripts.entryId, entryId)))[0];
const partsOf = (entryId: string) => db().$count(transcriptParts, eq(transcriptParts.entryId, entryId));

/** Publishes these parts. @returns the transcript that they make */
async function published(...parts: Heard[]) {
  const entry = await entryWithParts(parts);
  await publishTranscriptParts(entry, parts.length);
  return originalOf(entry.entryId);
}

describe('the parts of a transcript', () => {
  it('are joined in their order, and end with it', async () => {
    const entry = await entryWithParts([part('one'), part('two')]);
    // As when a job is tried again in another order.
    await saveTranscriptPart(entry, 0, part('one'));
    await publishTranscriptParts(entry, 2);
    expect(await originalOf(entry.entryId)).toMatchObject({
      ...{ revision: 0, engine: 'whisper-1', draft: false, estimated: false },
      words: [...storedWords('one'), ...storedWords('two')],
    });
    expect(await partsOf(entry.entryId)).toBe(0);
  });

  it('that an earlier, longer attempt has left don’t belong to it', async () => {
    const entry = await entryWithParts([part('one'), part('left')]);
    await publishTranscriptParts(entry, 1);
    expect((await originalOf(entry.entryId))?.words).toEqual(storedWords('one'));
    expect(await partsOf(entry.entryId)).toBe(0);
  });

  it('are kept until none is missing', async () => {
    const entry = await entryWithParts([part('one')]);
    await expect(publishTranscriptParts(entry, 2)).rejects.toThrow('1 of 2 transcript parts are missing');
    expect([await originalOf(entry.entryId), await partsOf(entry.entryId)]).toEqual([undefined, 1]);
    await saveTranscriptPart(entry, 1, part('two'));
    await publishTranscriptParts(entry, 2);
    const original = await originalOf(entry.entryId);
    // Another run of the same job, which finds them published.
    await publishTranscriptParts(entry, 2);
    expect(await originalOf(entry.entryId)).toEqual(original);
  });

  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('of which some have estimated times (%s, %s) make a transcript that has (%s)', async (one, two, all) => {
    const original = await published(part('one', { estimated: one }), part('two', { estimated: two }));
    expect(original?.estimated).toBe(all);
  });

  it('give it the first language that was heard', async () => {
    const entry = await entryWithParts([
      part('', { language: null }),
      part('eins', { language: 'de' }),
      part('two'),
    ]);
    await publishTranscriptParts(entry, 3);
    const [row] = await db().select().from(entries).where(eq(entries.id, entry.entryId));
    expect(row).toMatchObject({ language: 'de', transcriptStatus: 'completed' });
  });

  const certain = (logProbability: number | null, tokens: number | null) => ({ logProbability, tokens });
  it.each([
    ['each by its tokens', part('one', certain(-1, 1)), part('two three', certain(-0.2, 3)), -0.4],
    ['a silent one for nothing', part('one', certain(-1, 1)), part('', certain(null, null)), -1],
    ['unknown if one with words is', part('one', certain(-1, 1)), part('two', certain(null, null)), null],
    ['unknown if all are', part('one', certain(null, null)), part('two', certain(null, null)), null],
    ['unknown without tokens', part('one', certain(-1, 0)), part('two', certain(-1, 0)), null],
  ])('count towards its certainty: %s', async (_, one, two, expected) => {
    const original = await published(one, two);
    expect(original?.logProbability).toEqual(expected === null ? null : expect.closeTo(expected, 5));
  });
});
