import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { downloadObject, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { saveDraft } from '@/lib/journal/transcripts/draft';
import { readPassages, savePassage, saveTranscriptPart } from '@/lib/journal/transcripts/machine-transcript';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { getTranscription } from '@/lib/journal/transcripts/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { deleteSpeechAudio, endFailedTranscript, publishTranscript, type SpeechObject } from './speech';
import { runEntryStep } from './step';

const SENTENCE = 'This entry doesn’t seem to be in English. Connect a speech service to transcribe it.';
const PART = { name: 'speech-0.pcm', startSeconds: 0, endSeconds: 40 } as const;
const DRAFT = [{ word: 'Gibberish.', startTime: 0, endTime: 1 }];

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Creates an entry of which the built-in engine has heard everything, and made this much sense. */
async function heard(logProbability: number, voiced = 10) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing' });
  const entry = { userId, entryId };
  const file = services.folder('speech.pcm');
  await writeFile(file, 'samples');
  await uploadObject(file, entryKey(userId, entryId, PART.name), 'application/octet-stream');
  const about = { part: 0, voiced, logProbability, tokens: 3 };
  await savePassage(entry, {
    ...about,
    startMs: 0,
    endMs: 20_000,
    words: [
      ['Good', 0, 1],
      ['morning.', 1, 2],
    ],
  });
  await savePassage(entry, { ...about, startMs: 20_000, endMs: 40_000, words: [['I', 20, 21]] });
  const words = (await readPassages(entry)).flatMap((passage) => passage.words);
  const engine = { language: 'en', estimated: false, engine: 'moonshine-tiny' };
  await saveTranscriptPart(entry, 0, { ...engine, words, logProbability, tokens: 6 });
  await startJobs(db(), 'transcript', [entry]);
  const run = { ...entry, kind: 'transcript', generation: 1, runId: 'run', attempt: 0 } as const;
  const publish = (part: SpeechObject = PART) => runEntryStep(run, (step) => publishTranscript(step, [part]));
  const hasAudio = () => downloadObject(entryKey(userId, entryId, PART.name), services.folder('copy'), {});
  return { entry, publish, hasAudio };
}

describe('an entry in another language', () => {
  it('fails with a sentence that says what to do, and its draft goes', async () => {
    const { entry, publish, hasAudio } = await heard(-1.2);
    await saveDraft(entry.userId, entry.entryId, DRAFT, -0.1);
    expect(await publish()).toEqual({ refused: SENTENCE });
    await endFailedTranscript(entry, SENTENCE, 1);
    expect(await getTranscription(entry.userId, entry.entryId)).toMatchObject({
      status: 'failed',
      error: SENTENCE,
      words: [],
      language: null,
      draft: false,
    });
    expect([await readPassages(entry), await hasAudio()]).toEqual([[], false]);
    expect(await saveDraft(entry.userId, entry.entryId, DRAFT, -0.1)).toMatchObject({
      status: 'failed',
      error: SENTENCE,
    });
  });

  it('keeps what a person has written', async () => {
    const { entry, publish } = await heard(-1.2);
    await saveDraft(entry.userId, entry.entryId, DRAFT, -0.1);
    await saveTranscription(entry.userId, entry.entryId, [{ word: 'Guten', startTime: 0, endTime: 1 }], 0);
    expect(await publish()).toEqual({ done: undefined });
    expect(await getTranscription(entry.userId, entry.entryId)).toMatchObject({
      status: 'completed',
      words: [{ word: 'Guten' }],
    });
    expect(await readPassages(entry)).toEqual([]);
  });
});

it('publishes what a service heard, whatever the built-in engine heard before there was one', async () => {
  const { entry, publish } = await heard(-1.2);
  expect(await publish({ ...PART, name: 'speech-0.ogg' })).toEqual({ done: undefined });
  expect(await getTranscription(entry.userId, entry.entryId)).toMatchObject({ status: 'completed' });
  expect(await readPassages(entry)).toEqual([]);
});

it.each([
  ['clear English', -0.1, 10],
  ['a few unclear words', -1.2, 2],
])('publishes %s', async (_, logProbability, voiced) => {
  const { entry, publish, hasAudio } = await heard(logProbability, voiced);
  expect(await publish()).toEqual({ done: undefined });
  expect(await getTranscription(entry.userId, entry.entryId)).toMatchObject({
    status: 'completed',
    words: [{ word: 'Good' }, { word: 'morning.' }, { word: 'I' }],
  });
  await deleteSpeechAudio(entry);
  expect([await readPassages(entry), await hasAudio()]).toEqual([[], false]);
});
