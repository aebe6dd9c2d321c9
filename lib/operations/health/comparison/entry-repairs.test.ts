import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { store } from '@/test/stored-entries';
import { repairEntry } from './entry-repairs';
import { entryRowsOf } from './entry-rows';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

type Tx = Parameters<Parameters<typeof duringTransaction>[0]>[0];

/** Makes an entry that's compared now. */
async function compared(values: Parameters<typeof makeEntry>[1] = {}) {
  const { id: userId } = await makeUser();
  const { id } = await makeEntry(userId, { sourceEtag: 'a', ...values });
  const [row] = await entryRowsOf([id]);
  if (!row) throw new Error('no such entry');
  return { id, userId, row };
}

const storedRow = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];
const notRepaired = { status: 'fulfilled', value: false };

/** What the repairs of an entry's row need to know besides. */
const ISSUES = {
  'a copy that’s lost': {
    kind: 'copy-lost',
    lost: { video: true, thumbnail: false, storyboard: false, small: false },
    hasSource: true,
  },
  'another ETag': {
    kind: 'etag-changed',
    source: { key: 'k', size: 1000, etag: 'b', modifiedAt: new Date() },
  },
  'another size': { kind: 'size-wrong', source: { key: 'k', size: 7, etag: 'a', modifiedAt: new Date() } },
} as const;

describe.each([
  ['whose video is processed again', { videoStatus: 'processing' }],
  ['whose transcript is made again', { transcriptStatus: 'processing' }],
] as const)('an entry %s at the same moment', (_, values) => {
  it.each(Object.entries(ISSUES))('isn’t changed because of %s', async (_kind, issue) => {
    const { id, row } = await compared();
    const before = await storedRow(id);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set(values).where(eq(entries.id, id)),
      () => repairEntry(row, issue),
    );
    expect([waited, outcome]).toEqual([true, notRepaired]);
    expect(await storedRow(id)).toEqual({ ...before, ...values });
    expect(await db().$count(entryJobs, eq(entryJobs.entryId, id))).toBe(0);
    expect(await db().$count(outbox, sql`${outbox.payload} like ${`%${id}%`}`)).toBe(0);
  });
});

it.each([
  ['another ETag', { sourceEtag: 'c' }],
  ['another size', { bytes: 5 }],
] as const)(
  'an original that’s replaced at the same moment keeps what was recorded of it: %s',
  async (kind, values) => {
    const { id, row } = await compared();
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set(values).where(eq(entries.id, id)),
      () => repairEntry(row, ISSUES[kind]),
    );
    expect([waited, outcome]).toEqual([true, notRepaired]);
    expect(await storedRow(id)).toMatchObject(values);
  },
);

it.each([
  ['the video', { video: true, thumbnail: false }, { videoKey: null, thumbnailKey: 'kept' }],
  ['the thumbnail', { video: false, thumbnail: true }, { videoKey: 'kept', thumbnailKey: null }],
] as const)('has %s made again if that’s what is lost, and keeps the rest', async (_, lost, expected) => {
  const { id, row } = await compared({ videoKey: 'kept', thumbnailKey: 'kept' });
  const issue = { ...ISSUES['a copy that’s lost'], lost: { ...lost, storyboard: false, small: false } };
  expect(await repairEntry(row, issue)).toBe(true);
  expect(await storedRow(id)).toMatchObject({ ...expected, videoStatus: 'processing' });
});

describe('a temporary file', () => {
  const running = { kind: 'transcript', holder: 'somebody' } as const;

  it.each([
    [
      'starts for the first time',
      false,
      (tx: Tx, entryId: string) => tx.insert(entryJobs).values({ entryId, ...running }),
    ],
    [
      'starts again',
      true,
      (tx: Tx, entryId: string) =>
        tx.update(entryJobs).set({ holder: 'somebody' }).where(eq(entryJobs.entryId, entryId)),
    ],
    [
      'is wanted',
      false,
      (tx: Tx, entryId: string) =>
        tx.update(entries).set({ transcriptStatus: 'processing' }).where(eq(entries.id, entryId)),
    ],
  ])('stays if a job %s at the same moment', async (_, hasRun, start) => {
    const { id, userId, row } = await compared();
    const key = entryKey(userId, id, 'speech-0.pcm');
    await store(key);
    if (hasRun) await db().insert(entryJobs).values({ entryId: id, kind: running.kind });
    const object = { key, size: 10, etag: 'a', modifiedAt: new Date() };
    const { waited, outcome } = await duringTransaction(
      (tx) => start(tx, id),
      () => repairEntry(row, { kind: 'object-leftover', object }),
    );
    expect([waited, outcome]).toEqual([true, notRepaired]);
    expect(await headObject(key)).not.toBeNull();
  });
});
