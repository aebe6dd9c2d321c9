import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { RetryAfterError } from 'inngest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { SpeechError } from '@/lib/clients/speech-error';
import { AppError } from '@/lib/foundation/contract/errors';
import { getEntry } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
import { useFreshDatabase } from '@/test/app-database';
import { childProgram } from '@/test/child-program';
import { makeEntry, makeUser } from '@/test/factories';
import type { EntryStep } from './entry-files';
import { runEntryStep } from './step';
import { failVideo } from './video';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

/** Starts the video job of a new entry. @returns its first attempt, of its first run */
async function started() {
  const { id: userId } = await makeUser();
  const values = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'processing' } as const;
  const { id: entryId } = await makeEntry(userId, values);
  await startJobs(db(), 'video', [{ entryId, userId }]);
  return { entryId, userId, kind: 'video' as const, generation: 1, runId: 'first', attempt: 0 };
}

/** Runs a step that works until it's told to stop. `begun` resolves when it works. */
function work(attempt: Awaited<ReturnType<typeof started>>) {
  const events: string[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const outcome = runEntryStep(attempt, async ({ signal }: EntryStep) => {
    begin();
    const stopped = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    await stopped;
    events.push('stopped');
    signal?.throwIfAborted();
  });
  outcome.catch(() => undefined);
  return { begun, outcome, events };
}

const jobOf = async (entryId: string) =>
  (await db().select().from(entryJobs).where(eq(entryJobs.entryId, entryId)))[0];

// Each waits for seconds until a holder notices.
describe.concurrent('a running step stops', () => {
  it('when its entry moves to the trash', async () => {
    const run = await started();
    const step = work(run);
    await step.begun;
    await removeEntry(run.userId, run.entryId);
    expect(await step.outcome).toEqual({ stopped: 'removed' });
  });

  it('when another run was started, though nothing of it waits yet', async () => {
    const run = await started();
    const step = work(run);
    await step.begun;
    await startJobs(db(), 'video', [run]);
    expect(await step.outcome).toEqual({ stopped: 'superseded' });
  });

  it('when another run was started, which waits for it', async () => {
    const run = await started();
    const step = work(run);
    await step.begun;
    await startJobs(db(), 'video', [run]);
    const order = await runEntryStep({ ...run, runId: 'second', generation: 2 }, async () => [
      ...step.events,
      'second',
    ]);
    expect(order).toEqual({ done: ['stopped', 'second'] });
    expect(await step.outcome).toEqual({ stopped: 'superseded' });
    expect(await runEntryStep(run, async () => 'late'), 'an earlier run').toEqual({ stopped: 'superseded' });
  });

  it('when the job service tries it again, and never runs beside the second attempt', async () => {
    const run = await started();
    const step = work(run);
    await step.begun;
    const order = await runEntryStep({ ...run, attempt: 1 }, async () => [...step.events, 'second']);
    expect(order).toEqual({ done: ['stopped', 'second'] });
    // Its run goes on, so it's no outcome.
    await expect(step.outcome).rejects.toBeInstanceOf(RetryAfterError);
    expect(await jobOf(run.entryId)).toMatchObject({ holder: null, successor: null, failures: 0 });
  });
});

describe('a step whose last attempt was killed', () => {
  const killed: ChildProcess[] = [];
  afterAll(() => {
    for (const child of killed) child.kill('SIGKILL');
  });

  it('starts when the process is gone', async () => {
    const run = await started();
    const program = await childProgram('test/lease-process.ts');
    const child = spawn(process.execPath, [program, run.entryId, run.userId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    killed.push(child);
    await once(child.stdout, 'data');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect((await jobOf(run.entryId))?.holder).toContain('/killed/');
    expect(await runEntryStep(run, async () => 'done')).toEqual({ done: 'done' });
  });

  it('starts on another machine once its heartbeat is too old', async () => {
    const run = await started();
    await db()
      .update(entryJobs)
      .set({ holder: '00000000-1-1/first/x', beatAt: sql`now() - interval '1 minute'` })
      .where(eq(entryJobs.entryId, run.entryId));
    expect(await runEntryStep(run, async () => 'done')).toEqual({ done: 'done' });
  });
});

describe('a failed attempt', () => {
  const attempt = async (error: Error, times: number) => {
    const run = await started();
    const names: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const tried = runEntryStep({ ...run, attempt: n }, () => Promise.reject(error));
      const kind = await tried.then(
        (outcome) => Object.keys(outcome)[0] ?? '',
        (thrown: Error) => (thrown instanceof RetryAfterError ? `retry ${thrown.name}` : thrown.name),
      );
      names.push(kind);
    }
    return { names, job: await jobOf(run.entryId) };
  };

  it('counts toward a small limit', async () => {
    const { names } = await attempt(new TypeError('a bug'), 5);
    expect(names).toEqual([...Array(4).fill('retry TypeError'), 'TypeError']);
  });

  it.each([
    ['storage', new AppError('unavailable')],
    ['the network', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['the database', Object.assign(new Error('stopping'), { code: '57P01' })],
  ])('does not count while a service is away: %s', async (_service, error) => {
    const { names, job } = await attempt(error, 8);
    expect(names).toEqual(Array(8).fill('retry Unavailable'));
    expect(job).toMatchObject({ failures: 0, holder: null });
  });

  it('keeps the reason of the speech service, and says when to expect the run again', async () => {
    const busy = new SpeechError('rate_limited', 'Busy.', { retryAfterSeconds: 3600 });
    const { names, job } = await attempt(busy, 1);
    expect(names).toEqual(['retry SpeechError.rate_limited']);
    expect(job?.beatAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('waits longer each time, even if the speech service says that a second is enough', async () => {
    const run = await started();
    const busy = new SpeechError('rate_limited', 'Busy.', { retryAfterSeconds: 1 });
    const tried = runEntryStep({ ...run, attempt: 3 }, () => Promise.reject(busy));
    await expect(tried).rejects.toMatchObject({ retryAfter: '60' });
  });

  it.each([
    ['unreadable', ['refused']],
    ['failed', ['retry MediaError', 'refused']],
    ['disk_full', Array(3).fill('retry MediaError')],
  ] as const)('tells the owner about a file that is at fault: %s', async (kind, outcomes) => {
    const { names } = await attempt(new MediaError(kind), outcomes.length);
    expect(names).toEqual(outcomes);
  });

  it('starts the count over when a step succeeds', async () => {
    const run = await started();
    await expect(runEntryStep(run, () => Promise.reject(new Error('once')))).rejects.toThrow();
    expect(await jobOf(run.entryId)).toMatchObject({ failures: 1 });
    await runEntryStep({ ...run, attempt: 1 }, async () => 'done');
    expect(await jobOf(run.entryId)).toMatchObject({ failures: 0 });
  });
});

describe('a run of a job that is finished', () => {
  it('does nothing', async () => {
    const { id: userId } = await makeUser();
    const { id: entryId } = await makeEntry(userId);
    const run = { entryId, userId, generation: 0, runId: 'again', attempt: 0 };
    const never = () => Promise.reject(new Error('must not run'));
    expect(await runEntryStep({ ...run, kind: 'video' }, never)).toEqual({ stopped: 'finished' });
  });

  it('that fails leaves a first copy that plays, and one that was superseded changes nothing', async () => {
    const run = await started();
    await startJobs(db(), 'video', [run]);
    await failVideo(run, 'Too late.', { generation: 1 });
    expect(await getEntry(run.userId, run.entryId)).toMatchObject({ videoStatus: 'processing' });
    const { id: userId } = await makeUser();
    const values = { videoStatus: 'processing', videoKey: 'entries/remux.webm' } as const;
    const { id: entryId } = await makeEntry(userId, values);
    await failVideo({ userId, entryId }, 'It failed.');
    const entry = await getEntry(userId, entryId);
    expect(entry).toMatchObject({ status: 'completed', videoStatus: 'failed', videoError: 'It failed.' });
  });
});
