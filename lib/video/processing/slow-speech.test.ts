import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { transcriptParts } from '@/db/schema/transcripts';
import { startLocalServices } from '@/test/services';
import { makeReadEntry, passagesOf } from '@/test/spoken-entries';
import { transcribePart } from './speech';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  // As if a core were so slow that a part takes many times as long as a step may.
  process.env.JOB_STEP_SECONDS = '1';
  delete process.env.SPEECH_BASE_URL;
});
afterAll(() => services.end());

it('leaves a part to the next step when its time is almost up, and hears some of it in each', async () => {
  const entry = await makeReadEntry(services.folder('reading.pcm'), [[0, 1], [1, 2], [4]]);
  const part = { name: 'speech-0.pcm', startSeconds: 0, endSeconds: 120 } as const;
  const partsOf = () => db().$count(transcriptParts, eq(transcriptParts.entryId, entry.entryId));
  const counts: number[] = [];
  while ((await transcribePart(entry, part, 0)) === 'unfinished') {
    counts.push((await passagesOf(entry)).length);
    expect(await partsOf()).toBe(0);
  }
  expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
  expect([counts.length > 1, await partsOf()]).toEqual([true, 1]);
});
