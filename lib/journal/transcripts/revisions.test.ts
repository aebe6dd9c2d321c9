import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getEntry } from '@/lib/journal/entries/service';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import * as contract from './contract';
import { listRevisions, readRevision, restoreRevision, saveTranscription } from './revisions';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const error = (code: string) => expect.objectContaining({ code });

const textOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(' ');

async function transcribed(text: string) {
  const user = await makeUser();
  const entry = await makeEntry(user.id);
  await publishTranscript(
    { userId: user.id, entryId: entry.id },
    { words: storedWords(text), language: 'en', estimated: false, engine: 'whisper-1' },
  );
  return { userId: user.id, entryId: entry.id };
}

describe('correcting a transcript', () => {
  it('keeps the original and every correction', async () => {
    const { userId, entryId } = await transcribed('I called Dan');
    const saved = await saveTranscription(userId, entryId, said('I called Dad'), 0);
    expect(saved).toMatchObject({ revision: 1, status: 'completed', language: 'en' });
    await saveTranscription(userId, entryId, said('I called Dad today'));
    expect(await listRevisions(userId, entryId)).toMatchObject([
      { revision: 2, words: 4 },
      { revision: 1, words: 3 },
      { revision: 0, words: 3 },
    ]);
    expect(textOf((await readRevision(userId, entryId, 0)).words)).toBe('I called Dan');
    const back = await restoreRevision(userId, entryId, 0);
    expect([back.revision, textOf(back.words)]).toEqual([3, 'I called Dan']);
    expect(textOf((await readRevision(userId, entryId, 2)).words)).toBe('I called Dad today');
  });

  it('keeps how sure the machine was of the words that are left, and of no other', async () => {
    const { id: userId } = await makeUser();
    const { id: entryId } = await makeEntry(userId);
    await publishTranscript(
      { userId, entryId },
      {
        words: [
          ['I', 0, 0.5, 0.9],
          ['called', 1, 1.5, 0.1],
          ['Dan', 2, 2.5, 0.2],
        ],
        language: 'en',
        estimated: false,
        engine: 'whisper-1',
      },
    );
    const sure = (words: readonly { confidence?: number | undefined }[]) =>
      words.map((word) => word.confidence ?? null);
    expect((await saveTranscription(userId, entryId, said('I called Dan'))).revision).toBe(0);
    const { revision, words } = await saveTranscription(userId, entryId, said('I called Dad'));
    expect([revision, ...sure(words)]).toEqual([1, 0.9, 0.1, null]);
    expect(sure((await readRevision(userId, entryId, 0)).words)).toEqual([0.9, 0.1, 0.2]);
  });

  it('adds no revision for the same words, nor for restoring the current ones', async () => {
    const { userId, entryId } = await transcribed('One two');
    expect((await saveTranscription(userId, entryId, said('One two'))).revision).toBe(0);
    expect((await restoreRevision(userId, entryId, 0)).revision).toBe(0);
  });

  it('tells the second of two tabs, and overwrites nothing', async () => {
    const { userId, entryId } = await transcribed('One two');
    await saveTranscription(userId, entryId, said('One too'), 0);
    await expect(saveTranscription(userId, entryId, said('Won two'), 0)).rejects.toEqual(error('conflict'));
    expect(textOf((await getEntry(userId, entryId)).transcription.words)).toBe('One too');
  });

  it('saves a repeated correction once, though its revision is no longer the newest', async () => {
    const { userId, entryId } = await transcribed('One two');
    const [first, second] = [
      await saveTranscription(userId, entryId, said('One too'), 0),
      await saveTranscription(userId, entryId, said('One too'), 0),
    ];
    expect(second).toEqual(first);
    expect(await listRevisions(userId, entryId)).toHaveLength(2);
  });

  it('gives parallel corrections of one state to exactly one', async () => {
    const { userId, entryId } = await transcribed('One two');
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => saveTranscription(userId, entryId, said(`One ${n}`), 0)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listRevisions(userId, entryId)).toHaveLength(2);
  });

  it('begins with revision 1 when there is no machine’s, which may still come and changes nothing', async () => {
    const user = await makeUser();
    const entry = await makeEntry(user.id, { transcriptStatus: 'failed', transcriptError: 'Away.' });
    const typed = await saveTranscription(user.id, entry.id, said('By hand'), null);
    expect(typed).toMatchObject({ revision: 1, status: 'completed', error: null });
    const heard = { language: 'en', estimated: false, engine: null };
    await publishTranscript({ userId: user.id, entryId: entry.id }, { words: [], ...heard });
    expect((await getEntry(user.id, entry.id)).transcription.status).toBe('completed');
    await publishTranscript({ userId: user.id, entryId: entry.id }, { words: [['bye', 0, 1]], ...heard });
    expect(textOf((await getEntry(user.id, entry.id)).transcription.words)).toBe('By hand');
  });

  it('refuses words beyond the video, with a second to spare', async () => {
    const { userId, entryId } = await transcribed('One');
    const at = (endTime: number) => [{ word: 'late', startTime: 59, endTime }];
    await expect(saveTranscription(userId, entryId, at(61.001))).rejects.toEqual(error('validation_failed'));
    await expect(saveTranscription(userId, entryId, at(61))).resolves.toMatchObject({ revision: 1 });
  });

  it('is closed to others', async () => {
    const { userId, entryId } = await transcribed('Mine');
    const stranger = (await makeUser()).id;
    await expect(saveTranscription(stranger, entryId, said('Theirs'))).rejects.toEqual(error('not_found'));
    await expect(listRevisions(stranger, entryId)).rejects.toEqual(error('not_found'));
    await expect(readRevision(stranger, entryId, 0)).rejects.toEqual(error('not_found'));
    await saveTranscription(userId, entryId, said('Mine again'));
    const revisions = await listRevisions(userId, entryId);
    await expect(restoreRevision(stranger, entryId, 0)).rejects.toEqual(error('not_found'));
    await expect(readRevision(userId, entryId, 7)).rejects.toEqual(error('not_found'));
    expect(revisions).toHaveLength(2);
    expect(await listRevisions(userId, entryId)).toEqual(revisions);
  });
});

describe('the words that are sent', () => {
  const parse = (...words: [string, number, number][]) =>
    contract.saveTranscription.body.safeParse({
      transcription: { words: words.map(([word, startTime, endTime]) => ({ word, startTime, endTime })) },
    }).success;

  it('are in order, and none ends before it starts', () => {
    expect(parse(['a', 0, 1], ['b', 0.5, 2], ['c', 0.5, 0.5])).toBe(true);
    expect(parse(['a', 1, 1], ['b', 0.999, 2])).toBe(false);
    expect(parse(['a', 1, 0.5])).toBe(false);
    expect(parse(['a', -0.1, 1])).toBe(false);
    expect(parse([' ', 0, 1])).toBe(false);
  });

  it('are well-formed when they are stored', async () => {
    const { userId, entryId } = await transcribed('One');
    const { data } = contract.saveTranscription.body.safeParse({
      transcription: { words: [{ word: 'a\ud800', startTime: 0, endTime: 1 }] },
    });
    const saved = await saveTranscription(userId, entryId, data?.transcription.words ?? []);
    expect(textOf(saved.words)).toBe('a\ufffd');
  });
});
