import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import type { StoredWord } from '@/db/schema/transcripts';
import { readEntries, revisionsOf } from '@/lib/portability/exports/archived-entries';
import { transcriptData } from '@/lib/video/downloads/service';
import { useFreshDatabase } from '@/test/app-database';
import { searchEntryIds } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { learnFromCorrections } from './learn';
import { listRevisions, readRevision, restoreRevision, saveTranscription } from './revisions';
import { vocabularyOf } from './vocabulary';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const textOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(' ');

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

async function transcribed(words: StoredWord[], language = 'en') {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { durationMs: 100_000_000 });
  await publishTranscript(
    { userId, entryId },
    { words, language, estimated: true, engine: 'whisper-1', logProbability: -0.25 },
  );
  return { userId, entryId };
}

const ofSize = async (what: 'database' | 'transcripts') => {
  const [row] = await db().execute<{ bytes: number }>(
    what === 'database'
      ? sql`select pg_database_size(current_database())::float8 as bytes`
      : sql`select pg_total_relation_size('transcripts')::float8 as bytes`,
  );
  return row?.bytes ?? 0;
};

it('takes no space for words that are stored already, however often they’re restored', async () => {
  // What can't be compressed, in 100,000 words of a language that no names are learned from.
  const long = (): StoredWord[] =>
    Array.from({ length: 100_000 }, (_, n) => [randomBytes(15).toString('base64'), n, n + 1]);
  const [heard, corrected] = [long(), long()];
  const { userId, entryId } = await transcribed(heard, 'ja');
  await saveTranscription(
    userId,
    entryId,
    corrected.map(([word, startTime, endTime]) => ({ word, startTime, endTime })),
  );
  const bytes = Buffer.byteLength(JSON.stringify(heard));
  expect(bytes).toBeGreaterThan(3_500_000);
  const before = { database: await ofSize('database'), transcripts: await ofSize('transcripts') };
  for (const revision of [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    await restoreRevision(userId, entryId, revision);
  expect((await ofSize('transcripts')) - before.transcripts).toBeLessThan(100_000);
  // The search index has another version of the entry each time, until it's vacuumed.
  expect((await ofSize('database')) - before.database).toBeLessThan(bytes);
  const list = await listRevisions(userId, entryId);
  expect(list.map(({ words }) => words)).toEqual(Array(14).fill(100_000));
  expect(textOf((await readRevision(userId, entryId, 0)).words)).toBe(heard.map(([word]) => word).join(' '));
});

describe('a restored revision', () => {
  it('leaves what’s known of the original as it was', async () => {
    const { userId, entryId } = await transcribed(storedWords('I called Dan'));
    const facts = () =>
      db().execute(sql`select created_at, engine, estimated, draft, log_probability from transcripts
        where entry_id = ${entryId} and revision = 0`);
    const before = await facts();
    await saveTranscription(userId, entryId, said('I called Dad'));
    const back = await restoreRevision(userId, entryId, 0);
    expect([back.revision, textOf(back.words)]).toEqual([2, 'I called Dan']);
    expect([...(await facts())]).toEqual([...before]);
    const newest = sql`select engine, estimated, draft, log_probability from transcripts
      where entry_id = ${entryId} and revision = 2`;
    expect([...(await db().execute(newest))]).toEqual([
      { engine: 'whisper-1', estimated: true, draft: false, log_probability: null },
    ]);
  });

  it('is found by what it says, and the words that it teaches are those that the original doesn’t have', async () => {
    const { userId, entryId } = await transcribed(storedWords('I called Shivon'));
    await saveTranscription(userId, entryId, said('I called Siobhan'));
    await learnFromCorrections({ userId, entryId });
    expect(await vocabularyOf(userId)).toEqual(['Siobhan']);
    await restoreRevision(userId, entryId, 0);
    await learnFromCorrections({ userId, entryId });
    expect([await searchEntryIds(userId, 'Shivon'), await searchEntryIds(userId, 'Siobhan')]).toEqual([
      [entryId],
      [],
    ]);
    expect(await vocabularyOf(userId)).toEqual([]);
    await saveTranscription(userId, entryId, said('I phoned Siobhan'));
    await learnFromCorrections({ userId, entryId });
    expect(await vocabularyOf(userId)).toContain('Siobhan');
    expect(await vocabularyOf(userId)).not.toContain('Shivon');
    expect(await searchEntryIds(userId, 'Siobhan')).toEqual([entryId]);
  });
});

it('reads every revision as it was, after any corrections and restorations, also in downloads and archives', async () => {
  type Step = { do: 'save'; text: string } | { do: 'restore'; which: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('save' as const), text: fc.constantFrom('a b', 'a c', 'b', 'c d e') }),
    fc.record({ do: fc.constant('restore' as const), which: fc.nat({ max: 20 }) }),
  );
  const run = async (steps: Step[]) => {
    const { userId, entryId } = await transcribed(storedWords('heard at first'));
    const texts = ['heard at first'];
    for (const one of steps) {
      const wanted = one.do === 'save' ? one.text : (texts[one.which % texts.length] ?? '');
      const current =
        one.do === 'save'
          ? await saveTranscription(userId, entryId, said(one.text))
          : await restoreRevision(userId, entryId, one.which % texts.length);
      if (wanted !== texts.at(-1)) texts.push(wanted);
      expect([current.revision, textOf(current.words)]).toEqual([texts.length - 1, wanted]);
    }
    const list = await listRevisions(userId, entryId);
    expect(list.map(({ revision, words }) => [revision, words]).reverse()).toEqual(
      texts.map((text, revision) => [revision, text.split(' ').length]),
    );
    for (const [revision, text] of texts.entries()) {
      expect(textOf((await readRevision(userId, entryId, revision)).words)).toBe(text);
    }
    const { text } = await transcriptData(userId, entryId);
    const pieces = typeof text === 'string' ? [text] : await collect(text);
    const { revisions } = JSON.parse(pieces.join('')) as { revisions: { words: { word: string }[] }[] };
    expect(revisions.map(({ words }) => textOf(words))).toEqual(texts);
    const [row] = await readEntries(userId, [{ id: entryId, date: '2026-01-15' }]);
    const archived = row ? await collect(revisionsOf(row)) : [];
    expect(archived.map(({ words }) => words.map(([word]) => word).join(' '))).toEqual(texts);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), run), { numRuns: 15 });
});
