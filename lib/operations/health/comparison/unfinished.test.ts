import { eq, sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { uploads } from '@/db/schema/uploads';
import { beginMultipart, listParts } from '@/lib/clients/multipart';
import { entryKey } from '@/lib/journal/entries/keys';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { openUpload } from '@/lib/video/uploads/service';
import { makeEntry, makeUser } from '@/test/factories';
import { request, sendPart, statusOf, uploadRow } from '@/test/multipart-fixtures';
import { duringTransaction } from '@/test/open-transaction';
import { refuseWrites } from '@/test/refused-writes';
import { startLocalServices } from '@/test/services';
import { compare, makeStoredEntry } from '@/test/stored-entries';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
beforeEach(async () => {
  await db().delete(users);
  await db().delete(outbox);
  ({ id: userId } = await makeUser());
});

const WAITING = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'processing' } as const;
const HOURS_AGO = sql`now() - interval '2 hours'`;
const work = async (mayRepair: boolean) => (await compare({ mayRepair }))['Unfinished work'];

it('aborts multipart uploads that nothing refers to, and no others', async () => {
  const { entryId } = await openUpload(userId, request());
  await sendPart(userId, entryId, 1, Buffer.alloc(1000));
  const own = (await uploadRow(entryId))?.multipartId ?? '';
  const key = entryKey(userId, uuidv7(), 'source');
  const left = await beginMultipart(key, 'video/mp4');
  expect(await compare({ now: Date.now(), mayRepair: true })).toEqual({});
  expect((await compare()).Uploads).toMatch(/^✗ 1 unfinished multipart upload.*--repair aborts them/s);
  expect((await compare({ mayRepair: true })).Uploads).toMatch(/^✓ 1 unfinished/);
  expect(await listParts(key, left)).toBeNull();
  expect(await listParts(entryKey(userId, entryId, 'source'), own)).toHaveLength(1);
});

it('gives back what silent uploads reserve', async () => {
  const { entryId } = await openUpload(userId, request());
  await db().update(uploads).set({ activeAt: sql`now() - interval '26 hours'` });
  const now = Date.now();
  expect((await compare({ now })).Uploads).toMatch(/^✗ 1 upload has been silent/);
  expect((await compare({ now, mayRepair: true })).Uploads).toMatch(/^✓ 1 upload/);
  expect(await statusOf(entryId)).toBe('gone');
});

it('starts jobs again that are gone, and those that were never recorded', async () => {
  const [gone, missing] = [await makeStoredEntry(userId, WAITING), await makeStoredEntry(userId, WAITING)];
  await startJobs(db(), 'video', [{ userId, entryId: gone.id }]);
  await db().delete(outbox);
  await db().update(entryJobs).set({ beatAt: HOURS_AGO });
  const found = await work(false);
  expect(found).toContain(`1 job hasn’t`);
  expect(found).toContain(`${gone.id} (video)`);
  expect(found).toContain(missing.id);
  expect(await work(true)).not.toContain('✗');
  expect((await db().select().from(outbox)).map(({ id }) => id)).toEqual([`video-${gone.id}-2`]);
  expect(await db().select().from(entryJobs)).toHaveLength(2);
});

/** Makes entries with a job that nobody has heard of for hours. */
async function makeGoneJobs(count: number): Promise<string[]> {
  const made = await pLimit(4).map(Array(count), () => makeEntry(userId, WAITING));
  const ids = made.map(({ id }) => id);
  await db()
    .insert(entryJobs)
    .values(ids.map((entryId) => ({ entryId, kind: 'video' as const, beatAt: HOURS_AGO })));
  return ids;
}

it('says how many jobs are left when there are more than the app starts again at once', async () => {
  await makeGoneJobs(120);
  expect(await work(true)).toMatch(/^✗ 120 jobs haven’t.*\nRepaired 100\.\n/);
});

it('says which job is left when one can’t be started, although the others have just been', async () => {
  const [stuck = ''] = await makeGoneJobs(3);
  const mend = await refuseWrites('entry_jobs', 'update', `new.entry_id = '${stuck}'`);
  try {
    expect(await work(true)).toMatch(new RegExp(`^✗ 3 jobs haven’t.*Repaired 2\\..*${stuck}`, 's'));
  } finally {
    await mend();
  }
});

it('counts something as wrong while there may be more than one run handles', async () => {
  await db().execute(sql`insert into outbox (id, kind, payload, dead, created_at)
    select 'rejected-' || n, 'mail', 'sealed', true, now() - interval '31 days' from generate_series(1, 10001) n`);
  const checked = await work(false);
  expect(checked).toMatch(/^✗ At least 10,000 rejected emails/);
  expect(checked).not.toContain('Run this again');
  expect(await work(true)).toMatch(/^✗ At least 10,000 rejected emails.*Repaired 10,000\..*Run this again/s);
  expect(await work(true)).toMatch(/^✓ 1 rejected email is/);
});

it('keeps rejected emails until nothing can decrypt them, since a deletion receipt may be among them', async () => {
  const rejected = { kind: 'mail', payload: 'sealed', dead: true } as const;
  const createdAt = sql`now() - interval '31 days'`;
  await db()
    .insert(outbox)
    .values({ id: 'recent', ...rejected });
  await db()
    .insert(outbox)
    .values({ id: 'old', createdAt, ...rejected });
  const found = await work(true);
  expect(found).toMatch(/✗ 1 email or event was permanently rejected\..*update outbox.*recent/s);
  expect(found).toMatch(/✓ 1 rejected email is more than 30 days old/);
  expect((await db().select().from(outbox)).map(({ id }) => id)).toEqual(['recent']);
});

it('names accounts whose erasure doesn’t come to an end', async () => {
  const deletion = { requestedAt: HOURS_AGO, erasesAt: HOURS_AGO };
  const { id: late } = await makeUser();
  await db()
    .insert(accountDeletions)
    .values({ ...deletion, userId, startedAt: HOURS_AGO });
  const startedAt = sql`now() - interval '25 hours'`;
  await db()
    .insert(accountDeletions)
    .values({ ...deletion, userId: late, startedAt });
  expect(await work(true)).toMatch(new RegExp(`^✗ 1 account is still being erased.*${late}$`, 's'));
});

it('finds nothing wrong with a job that was killed before its entry moved to the trash', async () => {
  const { id: entryId } = await makeStoredEntry(userId, { videoStatus: 'processing', trashedAt: new Date() });
  await db().insert(entryJobs).values({ entryId, kind: 'video', holder: 'somebody', beatAt: HOURS_AGO });
  expect(await work(false)).toBeUndefined();
});

it('doesn’t end a job that’s heard from at the same moment', async () => {
  const entry = await makeStoredEntry(userId);
  await db()
    .insert(entryJobs)
    .values({ entryId: entry.id, kind: 'video', holder: 'somebody', beatAt: HOURS_AGO });
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.update(entryJobs).set({ beatAt: sql`now()` }),
    () => work(true),
  );
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  expect((await db().select().from(entryJobs)).map(({ holder }) => holder)).toEqual(['somebody']);
});

it('ends jobs that look as if they were running, and deletes what’s waiting for nothing', async () => {
  const entry = await makeStoredEntry(userId);
  await db()
    .insert(entryJobs)
    .values({ entryId: entry.id, kind: 'video', holder: 'somebody', beatAt: HOURS_AGO });
  const data = { userId, entryId: uuidv7() };
  await enqueueEvent(db(), 'useless', { name: 'entry/uploaded', data });
  await enqueueEvent(db(), 'purge', { name: 'entry/purged', data }, { dueAt: new Date(Date.now() + 60_000) });
  await db().insert(outbox).values({ id: 'late', kind: 'mail', payload: 'sealed' });
  await db().update(outbox).set({ createdAt: HOURS_AGO });
  await db().update(outbox).set({ dueAt: HOURS_AGO }).where(eq(outbox.id, 'late'));
  expect((await work(false))?.match(/✗ 1 /g)).toHaveLength(3);
  expect(await work(true)).toMatch(/^✗ 1 email or event has been waiting[^✗]*$/);
  expect((await db().select().from(outbox).orderBy(outbox.id)).map(({ id }) => id)).toEqual([
    'late',
    'purge',
  ]);
  expect((await db().select().from(entryJobs))[0]?.holder).toBeNull();
  expect(await db().select().from(entries)).toHaveLength(1);
});
