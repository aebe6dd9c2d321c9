import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { search } from '@/lib/journal/search/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { runEntryStep } from '@/lib/video/processing/step';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { saveDraft } from './draft';
import { saveProgress } from './machine-transcript';
import { listRevisions, restoreRevision, saveTranscription } from './revisions';
import { failTranscript, getTranscription, retryTranscription } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const heard = (text: string, logProbability?: number) => ({
  words: text === '' ? [] : storedWords(text),
  language: 'en',
  estimated: false,
  engine: 'moonshine-tiny',
  ...(logProbability !== undefined && { logProbability, tokens: 10 }),
});

/** Creates an entry whose transcript the server is making. */
async function transcribing(values: Parameters<typeof makeEntry>[1] = {}) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing', ...values });
  return { userId, entryId };
}
const draftOf = (
  { userId, entryId }: { userId: string; entryId: string },
  text: string,
  certainty?: number,
) => saveDraft(userId, entryId, said(text), certainty);
const stateOf = async ({ userId, entryId }: { userId: string; entryId: string }) => {
  const { words, status, draft, revision } = await getTranscription(userId, entryId);
  return [words.map(({ word }) => word).join(' '), status, draft, revision];
};

describe('words that the browser heard', () => {
  it('are the transcript at once, before the upload has ended, and can be sent twice', async () => {
    const entry = await transcribing({ videoStatus: 'uploading', durationMs: null, videoKey: null });
    for (const text of ['I called Dan', 'I called Dad', 'I called Dad']) {
      expect(await draftOf(entry, text, -0.2)).toMatchObject({
        status: 'completed',
        draft: true,
        language: 'en',
        revision: 0,
        progress: 0,
      });
    }
    expect(await stateOf(entry)).toEqual(['I called Dad', 'completed', true, 0]);
  });

  it('don’t hide how far the server is, as far as that’s known', async () => {
    const [known, unknown] = [
      await transcribing({ durationMs: 60_000 }),
      await transcribing({ durationMs: null }),
    ];
    const progressOf = async (entry: typeof known) =>
      (await getTranscription(entry.userId, entry.entryId)).progress;
    for (const entry of [known, unknown]) await draftOf(entry, 'a draft');
    for (const seconds of [30, 15]) {
      for (const entry of [known, unknown]) await saveProgress(entry, seconds);
      expect(await progressOf(known)).toBe(0.5);
      expect(await progressOf(unknown)).toBe(0);
    }
    const [another] = await db().select().from(entries).where(eq(entries.id, unknown.entryId));
    await saveProgress({ ...known, userId: unknown.userId }, 61);
    expect(await progressOf(known)).toBe(0.5);
    await saveProgress(known, 61);
    expect(await progressOf(known)).toBe(1);
    expect(await db().select().from(entries).where(eq(entries.id, unknown.entryId))).toEqual([another]);
  });

  it('are found by search', async () => {
    const entry = await transcribing();
    await draftOf(entry, 'I met a platypus');
    const [found] = (await search(entry.userId, { query: 'platypus', categories: [], limit: 10 })).results;
    expect(found).toMatchObject({ id: entry.entryId, matches: [{ start_time: 3 }] });
  });

  it('don’t stop the server’s own job', async () => {
    const entry = await transcribing();
    await draftOf(entry, 'a draft');
    await startJobs(db(), 'transcript', [entry]);
    const run = { ...entry, kind: 'transcript', generation: 1, runId: 'run', attempt: 0 } as const;
    expect(await runEntryStep(run, async () => 'worked')).toEqual({ done: 'worked' });
    await publishTranscript(entry, heard('the real one', -0.1));
    expect(await runEntryStep(run, async () => 'worked')).toEqual({ stopped: 'finished' });
  });

  it.each([
    ['by words that the server is surer of', -0.2, heard('better', -0.1), ['better', 'completed', false, 0]],
    ['by a service’s that gives no probability', -0.1, heard('better'), ['better', 'completed', false, 0]],
    ['if they came without one', undefined, heard('better', -0.9), ['better', 'completed', false, 0]],
    ['never by less certain ones', -0.1, heard('worse', -0.2), ['a draft', 'completed', false, 0]],
    ['never by as certain ones', -0.1, heard('same', -0.1), ['a draft', 'completed', false, 0]],
    ['never by none', undefined, heard('', -0.1), ['a draft', 'completed', false, 0]],
  ])('are replaced %s', async (_, certainty, published, expected) => {
    const entry = await transcribing();
    await draftOf(entry, 'a draft', certainty);
    await publishTranscript(entry, published);
    expect(await stateOf(entry)).toEqual(expected);
    expect((await getTranscription(entry.userId, entry.entryId)).progress).toBeUndefined();
  });

  it('change nothing once the server has published words, or found none', async () => {
    const entry = await transcribing();
    await publishTranscript(entry, heard('published', -0.9));
    expect(await draftOf(entry, 'late', -0.1)).toMatchObject({
      draft: false,
      words: [{ word: 'published' }],
    });
    const silent = await transcribing();
    await publishTranscript(silent, heard(''));
    expect(await draftOf(silent, 'late', -0.1)).toMatchObject({ status: 'no_speech', words: [] });
  });

  it('stay as they were corrected, whenever the server publishes', async () => {
    const entry = await transcribing();
    await draftOf(entry, 'I called Dan', -0.5);
    await saveTranscription(entry.userId, entry.entryId, said('I called Dad'), 0);
    await draftOf(entry, 'I called Dan again', -0.5);
    await publishTranscript(entry, heard('I mauled Dan', -0.1));
    expect(await stateOf(entry)).toEqual(['I called Dad', 'completed', false, 1]);
    await restoreRevision(entry.userId, entry.entryId, 0);
    expect(await stateOf(entry)).toEqual(['I called Dan', 'completed', false, 2]);
  });

  it('don’t replace a transcript that was written by hand', async () => {
    const entry = await transcribing();
    await saveTranscription(entry.userId, entry.entryId, said('By hand'), null);
    await draftOf(entry, 'a draft', -0.1);
    expect(await stateOf(entry)).toEqual(['By hand', 'completed', false, 1]);
    expect(await listRevisions(entry.userId, entry.entryId)).toHaveLength(1);
  });

  it('stay when the server’s job fails, which can be tried again', async () => {
    const entry = await transcribing();
    await draftOf(entry, 'a draft', -0.5);
    await failTranscript(entry, 'It failed.');
    expect(await stateOf(entry)).toEqual(['a draft', 'completed', true, 0]);
    await retryTranscription(entry.userId, entry.entryId);
    await publishTranscript(entry, heard('better', -0.1));
    expect(await stateOf(entry)).toEqual(['better', 'completed', false, 0]);
  });

  it('end in the same state whichever of draft and server comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const entry = await transcribing();
      await Promise.all([draftOf(entry, 'a draft', -0.5), publishTranscript(entry, heard('better', -0.1))]);
      expect(await stateOf(entry)).toEqual(['better', 'completed', false, 0]);
    }
  });

  it('are ignored if there are none, and refused past the end of the video', async () => {
    const entry = await transcribing();
    expect(await saveDraft(entry.userId, entry.entryId, [], -0.1)).toMatchObject({ status: 'processing' });
    const late = [{ word: 'late', startTime: 60, endTime: 61.001 }];
    const refused = expect.objectContaining({ code: 'validation_failed' });
    await expect(saveDraft(entry.userId, entry.entryId, late)).rejects.toEqual(refused);
  });

  it('are nobody else’s', async () => {
    const entry = await transcribing();
    const stranger = (await makeUser()).id;
    const missing = expect.objectContaining({ code: 'not_found' });
    await expect(saveDraft(stranger, entry.entryId, said('theirs'))).rejects.toEqual(missing);
    expect(await stateOf(entry)).toEqual(['', 'processing', false, null]);
  });
});
