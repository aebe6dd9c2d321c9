import { afterAll, beforeAll, expect, it } from 'vitest';
import { findCanaries } from './leaks/canaries';
import { copyWithCanaries } from './leaks/entry';
import { createFaults } from './leaks/faults';
import { type LeakFixture, startLeakFixture } from './leaks/fixture';
import { runWithFaults } from './leaks/run';
import { spokenSentence } from './media/speech';

let stage: LeakFixture;

beforeAll(async () => {
  stage = await startLeakFixture('built-in');
});
afterAll(() => stage.end());

it('what the built-in engine hears, and the words it prefers, are in no event, error or log', async () => {
  const { breakWrites } = createFaults(stage);
  const clip = await copyWithCanaries(await spokenSentence(), 'canary-sentence.mp4');
  const transcribe = (...faults: Parameters<typeof runWithFaults>[3]) =>
    runWithFaults(stage, 'entry/transcript.wanted', clip, faults);
  expect(await transcribe()).toMatchObject({ transcriptStatus: 'completed' });
  const failed = await transcribe(() => breakWrites('transcript_passages', 'true'));
  expect(failed).toMatchObject({ transcriptStatus: 'failed' });

  const heard = await stage.sql<{ words: unknown }[]>`select words from transcripts where revision = 0`;
  expect(JSON.stringify(heard)).toContain('disposed');
  const { exchanges, kept, logs } = await stage.stopAndCollect();
  expect(kept).toContain('inngest/function.failed');
  expect(logs).toContain('Inngest function error');
  for (const records of [exchanges, kept, logs]) {
    expect(findCanaries(records)).toEqual([]);
    expect(records).not.toContain('disposed');
  }
});
