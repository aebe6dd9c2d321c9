import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { type StoredWord, transcriptParts } from '@/db/schema/transcripts';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { publishTranscriptParts, saveTranscriptPart } from '@/lib/journal/transcripts/machine-transcript';
import { failTranscript, retryTranscription } from '@/lib/journal/transcripts/service';
import { makeEntry, makeUser } from '@/test/factories';
import { type HttpServer, startHttpServer } from '@/test/leaks/proxy';
import { startLocalServices } from '@/test/services';
import { publishTranscript, transcribePart } from './speech';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let speech: HttpServer;
/** Runs after the speech service gets a request and before it responds. */
let meanwhile: () => Promise<unknown> = async () => undefined;

beforeAll(async () => {
  services = await startLocalServices();
  const words = [{ word: 'secret', start: 0, end: 1 }];
  speech = await startHttpServer(async (_incoming, _body, outgoing) => {
    await meanwhile();
    outgoing.end(JSON.stringify({ language: 'english', words }));
  });
  process.env.SPEECH_BASE_URL = speech.url;
});
afterAll(async () => {
  await speech.close();
  await services.end();
});

const PART = { name: 'speech-0.mp3', startSeconds: 600, endSeconds: 620 } as const;

/** Creates an entry whose transcript is being made, with its audio in storage. */
async function speaking() {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { transcriptStatus: 'processing' });
  const file = services.folder('speech.mp3');
  await writeFile(file, 'audio');
  await uploadObject(file, entryKey(userId, entryId, PART.name), 'audio/mpeg');
  return { userId, entryId };
}

const partsOf = (entryId: string) =>
  db().select().from(transcriptParts).where(eq(transcriptParts.entryId, entryId));

const heard = (words: StoredWord[]) => ({ words, language: 'en', estimated: false, engine: null });

describe('the parts of a transcript', () => {
  it('are kept until they are published, and then deleted', async () => {
    const entry = await speaking();
    meanwhile = async () => undefined;
    expect(await transcribePart(entry, PART, 0)).toBe('stored');
    expect(await transcribePart(entry, PART, 0), 'a retry').toBe('stored');
    expect(await partsOf(entry.entryId)).toMatchObject([
      { part: 0, words: [['secret', 600, 601]], language: 'en', estimated: false },
    ]);
    await publishTranscript(entry, [PART]);
    await publishTranscript(entry, [PART]);
    expect(await partsOf(entry.entryId)).toEqual([]);
    const { transcription } = await getEntry(entry.userId, entry.entryId);
    expect(transcription).toMatchObject({ status: 'completed', language: 'en', revision: 0 });
    expect(transcription.words).toEqual([{ word: 'secret', start_time: 600, end_time: 601 }]);
  });

  it('are not stored for an entry that is purged while the speech service listens', async () => {
    const entry = await speaking();
    meanwhile = async () => {
      await removeEntry(entry.userId, entry.entryId);
      await purgeEntry(entry.userId, entry.entryId);
    };
    expect(await transcribePart(entry, PART, 0)).toBe('gone');
    await publishTranscript(entry, [PART]);
    expect(await partsOf(entry.entryId)).toEqual([]);
  });

  it('are not stored for an entry in the trash, and go with one that is purged', async () => {
    const entry = await speaking();
    meanwhile = async () => undefined;
    expect(await transcribePart(entry, PART, 0)).toBe('stored');
    await removeEntry(entry.userId, entry.entryId);
    expect(await transcribePart(entry, PART, 0)).toBe('gone');
    await publishTranscript(entry, [PART]);
    await purgeEntry(entry.userId, entry.entryId);
    expect(await partsOf(entry.entryId)).toEqual([]);
  });

  it('are nobody else’s', async () => {
    const entry = await speaking();
    const stranger = { ...entry, userId: (await makeUser()).id };
    expect(await saveTranscriptPart(stranger, 0, heard([['mine', 0, 1]]))).toBe(false);
    await saveTranscriptPart(entry, 0, heard([['mine', 0, 1]]));
    await publishTranscriptParts(stranger, 1);
    expect(await partsOf(entry.entryId)).toHaveLength(1);
  });

  it('leave nothing behind when they are written and purged at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const entry = await speaking();
      const writes = Array.from({ length: 6 }, (_, part) =>
        saveTranscriptPart(entry, part, heard([['a', 0, 1]])),
      );
      await Promise.all([...writes, db().delete(entries).where(eq(entries.id, entry.entryId))]);
      expect(await partsOf(entry.entryId)).toEqual([]);
    }
  });

  it('are deleted when the transcription fails, and a retry starts over', async () => {
    const entry = await speaking();
    await saveTranscriptPart(entry, 0, heard([['old', 0, 1]]));
    await failTranscript(entry, 'It failed.');
    expect(await partsOf(entry.entryId)).toEqual([]);
    await retryTranscription(entry.userId, entry.entryId);
    await expect(publishTranscriptParts(entry, 1), 'nothing heard yet').rejects.toThrow('1 of 1');
    await saveTranscriptPart(entry, 0, heard([['new', 0, 1]]));
    await publishTranscriptParts(entry, 1);
    expect((await getEntry(entry.userId, entry.entryId)).transcription.words).toMatchObject([
      { word: 'new' },
    ]);
  });

  it('make up two hours of speech, in order', async () => {
    const entry = await speaking();
    const said = (part: number) =>
      Array.from(
        { length: 4667 },
        (_, n): StoredWord => [`w${part}.${n}`, part * 1200 + n / 4, part * 1200 + n / 4, 0.5],
      );
    for (const part of [5, 4, 3, 2, 1, 0]) await saveTranscriptPart(entry, part, heard(said(part)));
    await publishTranscriptParts(entry, 6);
    const { words } = (await getEntry(entry.userId, entry.entryId)).transcription;
    expect(words.map(({ word }) => word)).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((part) => said(part).map(([word]) => word)),
    );
  });
});
