import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { makeOutdated, runProgram } from '@/test/outdated-videos';
import { getEntryRow } from '@/test/video-fixtures';

let end: () => Promise<void>;
beforeAll(async () => {
  // Nothing listens there.
  end = await useFreshDatabase({ settings: { S3_ENDPOINT: 'http://127.0.0.1:9' } });
});
afterAll(() => end());

it('stops while storage is away, and leaves everything for the next run', async () => {
  const { entryId } = await makeOutdated({});
  const before = await getEntryRow(entryId);
  expect(await runProgram(['--repair'])).toEqual([1, expect.stringMatching(/^Stopped: /)]);
  expect(await getEntryRow(entryId)).toEqual(before);
});
