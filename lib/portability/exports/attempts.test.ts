import { eq, like } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { outbox } from '@/db/schema/outbox';
import { lockPlan } from '@/lib/billing/plans/service';
import { headObject } from '@/lib/clients/storage-objects';
import { requestExports } from '@/lib/messaging/outbox/export-jobs';
import { noHurry, requestExport } from '@/test/export-fixtures';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { announce, assemble } from './assemble';
import { layOut } from './prepare';
import {
  currentExport,
  discardLayout,
  type ExportRun,
  layoutKeys,
  progressReporter,
  recordLayout,
} from './run';
import { createExport, listExports, retryExport } from './service';
import { runExportStep } from './step';
import { failExport, tidyExports } from './upkeep';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const stopped = expect.objectContaining({ name: 'ExportStopped' });

/** Returns everything the database has of an archive. */
const rowsOf = async ({ exportId }: ExportRun) => ({
  exports: await db().select().from(exports).where(eq(exports.id, exportId)),
  outbox: await db()
    .select()
    .from(outbox)
    .where(like(outbox.payload, `%${exportId}%`))
    .orderBy(outbox.id),
});

const setRow = ({ exportId }: ExportRun, values: Partial<typeof exports.$inferInsert>) =>
  db().update(exports).set(values).where(eq(exports.id, exportId));

const newLayout = () => ({ layoutId: uuidv7(), multipartId: 'an upload', bytes: 1 });

const ok = { status: 'fulfilled' };

/** Everything that a run's steps write, and how each ends if another run makes the archive, or none does anymore. */
const WRITES: [string, object, (run: ExportRun) => Promise<unknown>][] = [
  ['its progress', { reason: stopped }, (run) => progressReporter(run)(990)],
  ['its layout', { reason: stopped }, (run) => recordLayout(run, newLayout())],
  ['that its layout is gone', ok, async (run) => discardLayout(run, (await layoutIdOf(run)) ?? uuidv7())],
  ['that it failed', ok, failExport],
  ['that it’s alive', ok, (run) => runExportStep(run, 0, async () => undefined)],
];

const layoutIdOf = async (run: ExportRun) => (await rowsOf(run)).exports[0]?.layoutId;

describe.each([
  ['was started before the archive’s current one', { generation: 2, layoutId: uuidv7() }],
  ['was started before the current one, which hasn’t laid out the archive', { generation: 2 }],
  ['comes after the archive was ready', { status: 'ready', layoutId: uuidv7(), progress: 900 }],
  ['comes after the archive failed', { status: 'failed', progress: 900 }],
] as const)('a run that %s', (_, values) => {
  it.each(WRITES)('doesn’t record %s', async (_what, ending, write) => {
    const run = await requestExport((await makeUser()).id, { notify: true });
    await setRow(run, { beatAt: new Date('2026-01-15'), ...values });
    const before = await rowsOf(run);
    expect(before.exports).toMatchObject([values]);
    const [outcome] = await Promise.allSettled([write(run)]);
    expect(outcome).toMatchObject(ending);
    expect(await rowsOf(run)).toEqual(before);
  });
});

it.each([
  ['a later one has made', { generation: 2, status: 'ready' }],
  ['has failed', { status: 'failed' }],
] as const)('a run doesn’t announce an archive that %s', async (_, values) => {
  const run = await requestExport((await makeUser()).id);
  await setRow(run, { layoutId: uuidv7(), ...values });
  await expect(announce(run)).rejects.toEqual(stopped);
});

it('a run of an earlier generation doesn’t delete what a later one assembles', async () => {
  const run = await requestExport((await makeUser()).id);
  await layOut(run, noHurry());
  await setRow(run, { generation: 2 });
  const layoutId = (await layoutIdOf(run)) ?? '';
  const textOf = () => headObject(layoutKeys(run, layoutId).text);
  const before = await textOf();
  expect(before?.size).toBeGreaterThan(0);
  await discardLayout(run, layoutId);
  expect(await textOf()).toEqual(before);
});

describe('a late attempt of a run’s step', () => {
  it('doesn’t replace the layout of the faster one', async () => {
    const run = await requestExport((await makeUser()).id);
    expect(await recordLayout(run, newLayout())).toBe(true);
    const before = await rowsOf(run);
    expect(await recordLayout(run, newLayout())).toBe(false);
    expect(await rowsOf(run)).toEqual(before);
  });

  it('doesn’t discard a layout that came after the one it knows', async () => {
    const run = await requestExport((await makeUser()).id);
    await recordLayout(run, newLayout());
    const before = await rowsOf(run);
    await discardLayout(run, uuidv7());
    expect(await rowsOf(run)).toEqual(before);
  });

  it.each([
    ['another run takes over', { generation: 2 }],
    ['the archive is laid out again', { layoutId: uuidv7() }],
  ])('announces nothing if %s at the same moment', async (_, values) => {
    const run = await requestExport((await makeUser()).id, { notify: true });
    await layOut(run, noHurry());
    await assemble(run, noHurry());
    const { outbox: sent } = await rowsOf(run);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(exports).set(values).where(eq(exports.id, run.exportId)),
      () => announce(run),
    );
    expect([waited, outcome]).toMatchObject([true, { reason: stopped }]);
    const { exports: rows, outbox: left } = await rowsOf(run);
    expect(rows).toMatchObject([{ status: 'preparing', expiresAt: null, ...values }]);
    expect(left).toEqual(sent);
  });
});

describe('an archive that’s asked for at the same moment', () => {
  const wanted = { entryIds: null, fromYear: null, toYear: null, fileName: 'Daylight.zip', notify: false };

  it.each([
    ['asked for', (run: ExportRun) => createExport(run.userId, { notify: false })],
    ['retried', (run: ExportRun) => retryExport(run.userId, run.exportId)],
  ])('is prepared once, though it’s also %s', async (_, work) => {
    const run = await requestExport((await makeUser()).id);
    await failExport(run);
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await lockPlan(tx, run.userId);
        await requestExports(tx, [{ ...wanted, userId: run.userId }]);
      },
      () => work(run),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    const preparing = (await listExports(run.userId)).filter(({ status }) => status === 'preparing');
    expect(preparing).toHaveLength(1);
  });
});

describe('a run that’s been silent for hours', () => {
  const silent = { beatAt: new Date(Date.now() - 7 * 3600 * 1000) };

  it.each([
    ['the archive is ready', { ...silent, status: 'ready' }, true],
    ['the archive failed', { ...silent, status: 'failed' }, true],
    ['its event hasn’t been sent', silent, false],
  ] as const)('isn’t started again if %s', async (_, values, isSent) => {
    const run = await requestExport((await makeUser()).id);
    if (isSent) await db().delete(outbox);
    await setRow(run, values);
    const before = await rowsOf(run);
    expect(before.exports).toMatchObject([values]);
    await tidyExports();
    expect(await rowsOf(run)).toEqual(before);
  });

  it('isn’t started again if it’s heard from at the same moment', async () => {
    const run = await requestExport((await makeUser()).id);
    await db().delete(outbox);
    await setRow(run, silent);
    const beatAt = new Date();
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(exports).set({ beatAt }).where(eq(exports.id, run.exportId)),
      tidyExports,
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await rowsOf(run)).toMatchObject({ exports: [{ generation: 1, beatAt }], outbox: [] });
  });
});

it('has a current run as long as it’s being prepared', async () => {
  const run = await requestExport((await makeUser()).id);
  expect(await currentExport(run)).toMatchObject({ id: run.exportId });
  await expect(currentExport({ ...run, generation: 2 })).rejects.toEqual(stopped);
  await expect(currentExport({ ...run, userId: (await makeUser()).id })).rejects.toEqual(stopped);
});
