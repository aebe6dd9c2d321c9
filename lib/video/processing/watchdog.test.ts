import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { removeEntry } from '@/lib/journal/entries/trash';
import { retryTranscription } from '@/lib/journal/transcripts/service';
import { type JobKind, resendJob, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { age, gone as goneOf, lose, queued, started as startedOf } from '@/test/gone-jobs';
import { getEntryRow, makeUploadedEntry } from '@/test/video-fixtures';
import { requestTranscript } from './speech';
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

const PROCESSING = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'processing' } as const;
const WORDS = { videoStatus: 'ready', transcriptStatus: 'processing' } as const;

const started = (kind: JobKind, values: Parameters<typeof makeEntry>[1] = {}, owner = userId) =>
  startedOf(owner, kind, values);
const gone = (values: Parameters<typeof makeEntry>[1] = PROCESSING, kind: JobKind = 'video') =>
  goneOf(userId, kind, values);

describe('a run that is gone', () => {
  it('is started again three times; then the video fails with a sentence', async () => {
    const id = await gone();
    for (const generation of [2, 3, 4]) {
      await resumeGoneJobs();
      expect(await queued('video', id)).toEqual([generation]);
      await lose();
      await resumeGoneJobs();
      expect(await queued('video', id), 'right after').toEqual([]);
      await age(id);
    }
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([]);
    const failed = 'Something went wrong on our end, but your original upload is safe.';
    expect(await getEntryRow(id)).toMatchObject({
      videoStatus: 'failed',
      videoError: failed,
      transcriptStatus: 'failed',
      transcriptError: failed,
    });
  });

  it('is started again, whatever else waits to be sent', async () => {
    const id = await gone();
    const others = [await started('video', PROCESSING), await started('previews')];
    await startJobs(db(), 'transcript', [{ entryId: id, userId }]);
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([2]);
    expect(await queued('video', others[0] ?? '')).toEqual([1]);
  });

  it('isn’t started again by a search that has found an earlier one', async () => {
    const id = await gone();
    const job = () => db().select().from(entryJobs).where(eq(entryJobs.entryId, id));
    const before = await job();
    const earlier = { entryId: id, userId, kind: 'video', generation: 0 } as const;
    expect(await db().transaction((tx) => resendJob(tx, earlier, sql`true`))).toBe('heard');
    expect([await job(), await queued('video', id)]).toEqual([before, []]);
  });

  it('of a transcript is started again three times; then it fails, and a retry starts over', async () => {
    const id = await gone(WORDS, 'transcript');
    for (const generation of [2, 3, 4]) {
      await resumeGoneJobs();
      expect(await queued('transcript', id)).toEqual([generation]);
      await lose();
      await age(id);
    }
    await resumeGoneJobs();
    expect(await getEntryRow(id)).toMatchObject({
      videoStatus: 'ready',
      transcriptStatus: 'failed',
      transcriptError: 'We couldn’t finish the transcript. Try again in a few minutes.',
    });
    await retryTranscription(userId, id);
    expect(await queued('transcript', id)).toEqual([5]);
    await lose();
    await age(id);
    await resumeGoneJobs();
    expect(await queued('transcript', id)).toEqual([6]);
  });

  it('is started again once, however many processes look', async () => {
    const ids = [await gone(), await gone(), await gone()];
    await db().update(entryJobs).set({ failures: 2 });
    await Promise.all(Array.from({ length: 5 }, resumeGoneJobs));
    for (const id of ids) expect(await queued('video', id)).toEqual([2]);
    const rows = await db()
      .select({ resends: entryJobs.resends, failures: entryJobs.failures })
      .from(entryJobs);
    expect(rows).toEqual(Array(3).fill({ resends: 1, failures: 0 }));
  });

  it('is noticed while starts of others wait to be delivered', async () => {
    const id = await gone();
    const waiting = await started('video', PROCESSING);
    await resumeGoneJobs();
    expect([await queued('video', id), await queued('video', waiting)]).toEqual([[2], [1]]);
  });

  it('is noticed for entries from before jobs had rows', async () => {
    const video = await makeUploadedEntry(userId);
    const { id: words } = await makeEntry(userId, WORDS);
    await resumeGoneJobs();
    for (const id of [video, words]) await age(id);
    await resumeGoneJobs();
    expect([await queued('video', video), await queued('transcript', video)]).toEqual([[1], []]);
    expect([await queued('video', words), await queued('transcript', words)]).toEqual([[], [1]]);
  });

  it('is noticed for a transcript whose video failed after a first copy could be played', async () => {
    const id = await gone({ videoStatus: 'failed', transcriptStatus: 'processing' }, 'transcript');
    await resumeGoneJobs();
    expect(await queued('transcript', id)).toEqual([2]);
  });
});

describe('a run that is not gone', () => {
  const untouched = async (id: string) => {
    await lose();
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([]);
    expect(await queued('transcript', id)).toEqual([]);
  };

  it('was heard from in the last minutes', async () => {
    const id = await gone();
    await age(id, 3);
    await untouched(id);
  });

  it('has said that it waits for longer', async () => {
    const id = await gone(WORDS, 'transcript');
    await age(id, -60);
    await untouched(id);
  });

  it('is finished, held by the plan, or in the trash', async () => {
    await untouched(await gone({}));
    const held = { videoStatus: 'failed', heldByPlan: true, transcriptStatus: 'failed' } as const;
    await untouched(await gone(held));
    const trashed = await gone();
    await removeEntry(userId, trashed);
    await untouched(trashed);
  });

  it('has its event in the outbox, and gets as long as others from its delivery on', async () => {
    const id = await started('video', PROCESSING);
    await age(id, 60);
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([1]);
    await untouched(id);
    await age(id);
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([2]);
  });

  it('makes the transcript of a video whose own run was gone', async () => {
    const id = await gone();
    await startJobs(db(), 'transcript', [{ entryId: id, userId }]);
    await resumeGoneJobs();
    expect(await queued('video', id)).toEqual([2]);
    await lose();
    await requestTranscript({ entryId: id, userId });
    expect(await queued('transcript', id)).toEqual([]);
  });

  it('waits for its turn behind two of the same account, or four of others', async () => {
    const waiting = await gone();
    const running = [await started('video', PROCESSING), await started('video', PROCESSING)];
    await untouched(waiting);
    for (const id of running) await age(id, 1);
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => started('video', PROCESSING, (await makeUser()).id)),
    );
    await untouched(waiting);
    // Another function has limits of its own.
    for (const id of others) await age(id, 1);
    await Promise.all([started('transcript', WORDS), started('transcript', WORDS)]);
    await resumeGoneJobs();
    expect(await queued('video', waiting)).toEqual([2]);
  });
});

it('takes no run for gone while five steps run, the most of Inngest’s smallest plan', async () => {
  const id = await gone();
  const kinds: JobKind[] = ['transcript', 'transcript', 'transcript', 'previews', 'previews'];
  const running = await Promise.all(
    kinds.map(async (kind) => started(kind, kind === 'transcript' ? WORDS : {}, (await makeUser()).id)),
  );
  await lose();
  await resumeGoneJobs();
  expect(await queued('video', id)).toEqual([]);
  await age(running[0] ?? '', 1);
  await resumeGoneJobs();
  expect(await queued('video', id)).toEqual([2]);
});

it('leaves a run alone that was started again meanwhile', async () => {
  const id = await gone();
  await startJobs(db(), 'video', [{ entryId: id, userId }]);
  await lose();
  await resumeGoneJobs();
  const [row] = await db()
    .select()
    .from(entryJobs)
    .where(and(eq(entryJobs.entryId, id), eq(entryJobs.kind, 'video')));
  expect(row).toMatchObject({ generation: 2, resends: 0 });
});
