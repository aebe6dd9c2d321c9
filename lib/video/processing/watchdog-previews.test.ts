import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import { removeEntry } from '@/lib/journal/entries/trash';
import { endPreviews, previewsOf, savePreviews } from '@/lib/video/previews/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { age, gone, lose, queued, started } from '@/test/gone-jobs';
import { getEntryRow } from '@/test/video-fixtures';
import { resumeGoneJobs } from './watchdog';

let end: () => Promise<void>;
let userId: string;

beforeAll(async () => {
  end = await useFreshDatabase();
});
beforeEach(async () => {
  // Other tests' jobs count toward the limits.
  await db().delete(entries);
  userId = (await makeUser()).id;
});
afterAll(() => end());

const READY = { videoStatus: 'ready', transcriptStatus: 'completed' } as const;

const BOARD = { everySeconds: 1, count: 1, columns: 1, width: 160, height: 90 };

it('a run that makes previews is started again three times if the job service loses it; then there are none', async () => {
  const id = await gone(userId, 'previews', READY);
  for (const generation of [2, 3, 4]) {
    await resumeGoneJobs();
    expect(await queued('previews', id)).toEqual([generation]);
    await lose();
    await age(id);
  }
  for (let round = 0; round < 2; round += 1) {
    await resumeGoneJobs();
    expect(await queued('previews', id)).toEqual([]);
    await age(id);
  }
  const [row] = await db().select().from(entryJobs).where(eq(entryJobs.entryId, id));
  expect(row?.resends, 'it was given up once').toBe(4);
  expect(await getEntryRow(id)).toMatchObject({ videoStatus: 'ready', transcriptStatus: 'completed' });
  expect(await previewsOf(userId, id)).toEqual({ storyboard: null, waveform: null });
});

it('a run that makes previews is started again if the job service loses it between the storyboard and the waveform', async () => {
  const id = await gone(userId, 'previews', READY);
  await savePreviews(userId, id, { storyboard: BOARD });
  await resumeGoneJobs();
  expect(await queued('previews', id)).toEqual([2]);
});

it('a run that makes previews is over once there’s a waveform, or once none can be made', async () => {
  const [made = '', silent = ''] = [
    await gone(userId, 'previews', READY),
    await gone(userId, 'previews', READY),
  ];
  await savePreviews(userId, made, { storyboard: BOARD, waveform: 'AA==' });
  for (const entryId of [made, silent]) await endPreviews({ userId, entryId });
  expect(await previewsOf(userId, made)).toMatchObject({ storyboard: BOARD, waveform: 'AA==' });
  expect(await previewsOf(userId, silent)).toEqual({ storyboard: null, waveform: null });
  await resumeGoneJobs();
  for (const id of [made, silent]) expect(await queued('previews', id)).toEqual([]);
});

it('a run that makes previews has as long as others from the delivery of its event on', async () => {
  const id = await started(userId, 'previews', READY);
  await age(id, 60);
  await resumeGoneJobs();
  expect(await queued('previews', id)).toEqual([1]);
  await lose();
  await resumeGoneJobs();
  expect(await queued('previews', id)).toEqual([]);
});

it('a run that makes previews is left alone for a video from before there were any, or in the trash', async () => {
  const old = await gone(userId, 'previews', READY);
  await db().delete(previews);
  const trashed = await gone(userId, 'previews', READY);
  await removeEntry(userId, trashed);
  await resumeGoneJobs();
  for (const id of [old, trashed]) expect(await queued('previews', id)).toEqual([]);
});
