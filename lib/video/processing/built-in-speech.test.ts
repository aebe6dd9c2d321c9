import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { type StoredWord, transcriptParts, transcriptPassages } from '@/db/schema/transcripts';
import { removeEntry } from '@/lib/journal/entries/trash';
import { getTranscription } from '@/lib/journal/transcripts/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { waitUntil } from '@/local/up/processes';
import { childProgram } from '@/test/child-program';
import { shortSpeech } from '@/test/media/clips';
import { spokenClip } from '@/test/media/speech';
import { startLocalServices } from '@/test/services';
import { makeReadEntry, makeSpokenEntry, passagesOf } from '@/test/spoken-entries';
import { getEntryRow } from '@/test/video-fixtures';
import { wordErrors } from '@/test/word-errors';
import { publishSpeechAudio, publishTranscript, transcribePart } from './speech';
import { runEntryStep } from './step';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  delete process.env.SPEECH_BASE_URL;
});
afterAll(() => services.end());

const PART = { name: 'speech-0.pcm', startSeconds: 100, endSeconds: 200 } as const;
/** Creates an entry with a short passage, after which the others take the engine a few seconds each. */
const reading = (others: number) =>
  makeReadEntry(services.folder('reading.pcm'), [
    [1],
    ...Array.from({ length: others }, () => [0, 1, 2, 3, 4]),
  ]);

const textOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(' ');

describe('without a speech service', () => {
  it('the built-in engine makes the transcript', async () => {
    const clip = await spokenClip();
    const entry = await makeSpokenEntry('source', clip.path);
    const parts = await publishSpeechAudio(entry);
    expect(parts).toEqual([{ name: 'speech-0.pcm', startSeconds: 0, endSeconds: expect.any(Number) }]);
    for (const [index, part] of parts.entries())
      expect(await transcribePart(entry, part, index)).toBe('stored');
    const running = await getTranscription(entry.userId, entry.entryId);
    expect(running).toMatchObject({ status: 'processing', words: [] });
    expect(running.progress).toBeCloseTo((parts[0]?.endSeconds ?? 0) / 200, 5);
    await publishTranscript(entry, parts);
    const done = await getTranscription(entry.userId, entry.entryId);
    expect(done).toMatchObject({ status: 'completed', language: 'en', draft: false, revision: 0 });
    expect(done.progress).toBeUndefined();
    expect(wordErrors(clip.text, textOf(done.words))).toBeLessThanOrEqual(4);
    for (const { confidence } of done.words) expect(confidence).toBeGreaterThan(0);
    expect(await passagesOf(entry)).toEqual([]);
    expect(await getEntryRow(entry.entryId)).toMatchObject({ transcriptProgress: null });
  });

  it('finds no words in a tone', async () => {
    const entry = await makeSpokenEntry('source', await shortSpeech());
    const parts = await publishSpeechAudio(entry);
    for (const [index, part] of parts.entries()) await transcribePart(entry, part, index);
    await publishTranscript(entry, parts);
    expect(await getTranscription(entry.userId, entry.entryId)).toMatchObject({
      status: 'no_speech',
      words: [],
    });
  });
});

describe('a transcription that ends in the middle of a part', () => {
  it('goes on after the passages that were heard when its process is killed', async () => {
    const entry = await reading(1);
    await startJobs(db(), 'transcript', [entry]);
    const program = await childProgram('test/transcribe-process.ts');
    const child = spawn(process.execPath, [program, entry.entryId, entry.userId], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const gone = once(child, 'exit');
    expect(await waitUntil(async () => (await passagesOf(entry)).length > 0, 120_000)).toBe(true);
    child.kill('SIGKILL');
    await gone;
    const kept = await passagesOf(entry);
    expect(await db().$count(transcriptParts, eq(transcriptParts.entryId, entry.entryId))).toBe(0);
    // Whatever is heard again isn't this.
    const marked = (index: number): StoredWord[] => [[`kept${index}`, 100 + index, 100 + index]];
    for (const [index, { startMs }] of kept.entries()) {
      await db()
        .update(transcriptPassages)
        .set({ words: marked(index) })
        .where(eq(transcriptPassages.startMs, startMs));
    }
    const run = { ...entry, kind: 'transcript', generation: 1, runId: 'killed', attempt: 1 } as const;
    expect(await runEntryStep(run, (step) => transcribePart(step, PART, 0))).toEqual({ done: 'stored' });
    const all = await passagesOf(entry);
    expect(all.length).toBeGreaterThan(kept.length);
    await publishTranscript(entry, [PART]);
    const { words } = await getTranscription(entry.userId, entry.entryId);
    expect(words.slice(0, kept.length)).toMatchObject(kept.map((_, index) => ({ word: `kept${index}` })));
    expect(words.slice(kept.length).map(({ word }) => word)).toEqual(
      all.slice(kept.length).flatMap((passage) => passage.words.map(([word]) => word)),
    );
    for (const { start_time } of words) expect(start_time).toBeGreaterThanOrEqual(100);
    expect(await passagesOf(entry)).toEqual([]);
  });

  it('stops when its entry moves to the trash', async () => {
    const entry = await reading(2);
    await startJobs(db(), 'transcript', [entry]);
    const run = { ...entry, kind: 'transcript', generation: 1, runId: 'run', attempt: 0 } as const;
    const step = runEntryStep(run, (one) => transcribePart(one, PART, 0));
    expect(await waitUntil(async () => (await passagesOf(entry)).length > 0, 120_000)).toBe(true);
    await removeEntry(entry.userId, entry.entryId);
    const before = await passagesOf(entry);
    // Many fast cores are done before the lease is renewed.
    expect([{ stopped: 'removed' }, { done: 'gone' }]).toContainEqual(await step);
    expect(await passagesOf(entry)).toEqual(before);
    expect(await db().$count(transcriptParts, eq(transcriptParts.entryId, entry.entryId))).toBe(0);
  });
});
