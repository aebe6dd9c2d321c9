import { like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { reportWorker } from './process-reports';
import { resumeGoneJobs } from './watchdog';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase({ settings: { JOBS: 'worker' } });
});
afterAll(() => end());

it('starts a job again only while a worker could do it', async () => {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'processing', videoKey: null });
  await startJobs(db(), 'video', [{ entryId, userId }]);
  await db().delete(outbox);
  /** Lets time pass, and looks. @returns how many events were sent since */
  const look = async () => {
    await db().update(entryJobs).set({ beatAt: sql`now() - interval '5 minutes'` });
    await resumeGoneJobs();
    return db().$count(outbox, like(outbox.id, `video-${entryId}-%`));
  };
  const report = { isConnected: true, problem: null, version: '1' };
  for (let times = 0; times < 5; times += 1) expect(await look(), 'no worker').toBe(0);
  await reportWorker('bare', { ...report, ffmpeg: null, problem: 'No ffmpeg.' });
  for (let times = 0; times < 5; times += 1) expect(await look(), 'no ffmpeg').toBe(0);
  await reportWorker('able', { ...report, ffmpeg: 'ffmpeg 7' });
  expect(await look()).toBe(1);
});
