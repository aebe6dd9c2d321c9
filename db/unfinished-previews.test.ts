import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { db } from './client';
import { readMigrations } from './migrate';
import journal from './migrations/meta/_journal.json';
import { previews } from './schema/previews';

it('looks for previews of the last release that were lost, and not for those that can’t be made', async () => {
  const end = await useFreshDatabase();
  const userId = (await makeUser()).id;
  const [made, silent, lost, old] = await Promise.all(Array.from({ length: 4 }, () => makeEntry(userId)));
  if (!made || !silent || !lost || !old) throw new Error('No entries.');
  const refs = [made, silent, lost].map(({ id: entryId }) => ({ entryId, userId }));
  await startJobs(db(), 'previews', refs);
  await db().delete(previews);
  await db()
    .insert(previews)
    .values([{ entryId: made.id, waveform: 'AP8=' }, { entryId: silent.id }]);

  await db().execute(sql`drop index previews_unfinished`);
  const index = journal.entries.findIndex(({ tag }) => tag === '0016_unfinished_previews');
  for (const statement of readMigrations()[index]?.statements ?? []) await db().execute(sql.raw(statement));

  const waveformOf = async ({ id }: { id: string }) =>
    (await db().select().from(previews).where(eq(previews.entryId, id))).map(({ waveform }) => waveform);
  expect(await Promise.all([made, silent, lost, old].map(waveformOf))).toEqual([['AP8='], [''], [null], []]);
  await end();
});
