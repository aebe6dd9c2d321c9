import { eq, like, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { type JobKind, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { makeEntry } from './factories';

type EntryValues = Parameters<typeof makeEntry>[1];

/** Returns the generations of a job whose start is in the outbox. */
export async function queued(kind: JobKind, entryId: string): Promise<number[]> {
  const events = await db()
    .select()
    .from(outbox)
    .where(like(outbox.id, `${kind}-${entryId}-%`));
  return events.map(({ payload }) => JSON.parse(payload).data.generation);
}

/** The job service accepts all events, and forgets them. */
export const lose = () => db().delete(outbox);

/** Lets time pass since an entry's jobs were heard from. */
export const age = (entryId: string, minutes = 5) =>
  db()
    .update(entryJobs)
    .set({ beatAt: sql`now() - ${minutes} * interval '1 minute'` })
    .where(eq(entryJobs.entryId, entryId));

/** Makes an entry, and starts a job of it. @returns the entry's id */
export async function started(userId: string, kind: JobKind, values: EntryValues = {}): Promise<string> {
  const { id } = await makeEntry(userId, values);
  await startJobs(db(), kind, [{ entryId: id, userId }]);
  return id;
}

/** Makes an entry with a job whose event the job service has lost five minutes ago. @returns the entry's id */
export async function gone(userId: string, kind: JobKind, values: EntryValues): Promise<string> {
  const id = await started(userId, kind, values);
  await lose();
  await age(id);
  return id;
}
