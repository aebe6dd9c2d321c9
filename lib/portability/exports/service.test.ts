import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { recentActivity } from '@/lib/account/activity/service';
import { purgeEntry, purgeOldTrash, removeEntry } from '@/lib/journal/entries/trash';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { codeOf } from '@/test/error-code';
import { noHurry, prepareArchive, readArchive, requestExport } from '@/test/export-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { layOut } from './prepare';
import { createExport, deleteExport, exportAddress, getExport, listExports, retryExport } from './service';
import { failExport, tidyExports } from './upkeep';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const failed = { videoStatus: 'failed', videoKey: null } as const;

describe('archives of an account', () => {
  it('are prepared once at a time', async () => {
    const { id: userId } = await makeUser();
    await makeEntry(userId, failed);
    const twice = await Promise.all([1, 2, 3, 4].map(() => createExport(userId, { notify: true })));
    expect(new Set(twice.map(({ id }) => id)).size).toBe(1);
  });

  it('are named after what’s in them, and noted in the account’s activity', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { ...failed, title: 'A walk', date: '2020-02-01' });
    const range = { fromYear: 2019, toYear: 2020 };
    for (const wanted of [{ toYear: 2020 }, { fromYear: 2020 }, range, { entries: [id] }]) {
      await requestExport(userId, wanted);
    }
    expect((await listExports(userId)).map(({ fileName }) => fileName)).toEqual([
      '2020-02-01 A walk.zip',
      'Daylight 2019-2020.zip',
      'Daylight since 2020.zip',
      'Daylight through 2020.zip',
    ]);
    expect((await recentActivity(userId, 10)).map(({ kind }) => kind)).toEqual([
      'export.selection-requested',
      ...Array.from({ length: 3 }, () => 'export.requested'),
    ]);
  });

  it('make way for new ones of their kind, unless they’re being prepared', async () => {
    const { id: userId } = await makeUser();
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await makeEntry(userId, failed)).id));
    const years = async () =>
      (await listExports(userId)).filter((one) => one.entries === null).map((one) => one.fromYear);
    await requestExport(userId, { fromYear: 2001 });
    await prepareArchive(await requestExport(userId, { fromYear: 2002 }));
    await prepareArchive(await requestExport(userId, { fromYear: 2003 }));
    await requestExport(userId, { fromYear: 2004 });
    expect(await years()).toEqual([2004, 2003, 2001]);
    for (const id of ids.slice(1)) await requestExport(userId, { entries: [id] });
    expect(await years()).toEqual([2004, 2003, 2001]);
    expect(await codeOf(requestExport(userId, { entries: [ids[0] ?? ''] }))).toBe('conflict');
    await requestExport(userId, { fromYear: 2005 });
    expect(await years()).toEqual([2005, 2004, 2001]);
    expect(await codeOf(requestExport(userId, { fromYear: 2006 }))).toBe('conflict');
    expect(await years()).toEqual([2005, 2004, 2001]);
  });

  it('are prepared again if they failed, as they were asked for', async () => {
    const { id: userId } = await makeUser();
    const { id: entryId } = await makeEntry(userId, failed);
    const journal = await requestExport(userId, { fromYear: 2020, notify: true });
    const selection = await requestExport(userId, { entries: [entryId] });
    for (const run of [journal, selection]) {
      expect(await codeOf(retryExport(userId, run.exportId))).toBe('not_found');
      const before = await getExport(userId, run.exportId);
      await failExport(run);
      const again = await retryExport(userId, run.exportId);
      expect(again).toEqual({ ...before, id: again.id, createdAt: again.createdAt });
      expect(await codeOf(retryExport(userId, run.exportId))).toBe('not_found');
    }
    expect(await db().$count(exports, and(eq(exports.fromYear, 2020), exports.notify))).toBe(1);
    const [again] = await listExports(userId);
    const run = { userId, exportId: again?.id ?? '', generation: 1 };
    await prepareArchive(run);
    expect((await readArchive(run)).journal.entries.map(({ id }) => id)).toEqual([entryId]);
  });

  it('aren’t prepared twice when one is retried that was asked for again', async () => {
    const { id: userId } = await makeUser();
    const first = await requestExport(userId);
    await failExport(first);
    const second = await requestExport(userId);
    expect((await retryExport(userId, first.exportId)).id).toBe(second.exportId);
    expect((await listExports(userId)).map(({ id }) => id)).toEqual([second.exportId]);
  });

  it('can’t be reached by anyone else, or before they’re ready', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const { id: entryId } = await makeEntry(owner.id, failed);
    const { exportId } = await requestExport(owner.id);
    expect(await codeOf(exportAddress(owner.id, exportId))).toBe('not_found');
    for (const attempt of [getExport, exportAddress, deleteExport, retryExport]) {
      expect(await codeOf(attempt(stranger.id, exportId))).toBe('not_found');
    }
    expect(await codeOf(requestExport(stranger.id, { entries: [entryId] }))).toBe('not_found');
    expect(await listExports(stranger.id)).toEqual([]);
  });

  it('start over without an entry that’s deleted forever, if they’re being prepared and include it', async () => {
    const { id: userId } = await makeUser();
    const gone = await makeEntry(userId, { ...failed, date: '2024-12-31' });
    const stays = await makeEntry(userId, { ...failed, date: '2025-01-01' });
    const later = await requestExport(userId, { fromYear: 2025 });
    const earlier = await requestExport(userId, { toYear: 2023 });
    const range = await requestExport(userId, { toYear: 2024, notify: true });
    const both = await requestExport(userId, { entries: [gone.id, stays.id] });
    await layOut(both, noHurry());
    await removeEntry(userId, gone.id);
    await purgeEntry(userId, gone.id);

    const list = await listExports(userId);
    expect(list.slice(2).map(({ id }) => id)).toEqual([earlier.exportId, later.exportId]);
    const selection = list.find(({ entries: count }) => count !== null);
    const years = list.find(({ toYear }) => toYear === 2024);
    expect(years).toMatchObject({ fromYear: null, status: 'preparing', progress: 0 });
    expect(selection).toMatchObject({ entries: 1, status: 'preparing', progress: 0 });
    expect(await db().$count(exports, and(eq(exports.id, years?.id ?? ''), exports.notify))).toBe(1);
    for (const { exportId } of [range, both]) {
      expect(await codeOf(getExport(userId, exportId))).toBe('not_found');
    }
    const again = { userId, exportId: selection?.id ?? '', generation: 1 };
    await prepareArchive(again);
    expect((await readArchive(again)).journal.entries.map(({ id }) => id)).toEqual([stays.id]);
    await deliverOutbox(200);
    const events = services.sink.events.filter(({ data }) => data.exportId === both.exportId);
    expect(events.map(({ name }) => name)).toEqual(['export/requested', 'export/deleted']);
  });

  it('stay when an upload that was canceled is purged', async () => {
    const { id: userId } = await makeUser();
    const upload = await makeEntry(userId, { videoStatus: 'uploading', videoKey: null });
    const { exportId } = await requestExport(userId);
    await removeEntry(userId, upload.id);
    await db()
      .update(entries)
      .set({ trashedAt: sql`now() - interval '31 days'` })
      .where(eq(entries.id, upload.id));
    await db()
      .update(exports)
      .set({ createdAt: sql`now() - interval '32 days'` })
      .where(eq(exports.id, exportId));
    await purgeOldTrash();
    expect(await db().$count(entries, eq(entries.id, upload.id))).toBe(0);
    expect((await listExports(userId)).map(({ id }) => id)).toEqual([exportId]);
  });

  it('are deleted with an entry that’s deleted forever, when they expire, and on request', async () => {
    const { id: userId } = await makeUser();
    const gone = await makeEntry(userId, failed);
    const stays = await makeEntry(userId, failed);
    const [all, other, own] = [
      await requestExport(userId),
      await requestExport(userId, { entries: [stays.id] }),
      await requestExport(userId, { entries: [gone.id] }),
    ];
    await prepareArchive(all);
    await removeEntry(userId, gone.id);
    await purgeEntry(userId, gone.id);
    expect((await listExports(userId)).map(({ id }) => id)).toEqual([other.exportId]);
    await prepareArchive(other);
    await db()
      .update(exports)
      .set({ expiresAt: new Date(0) })
      .where(eq(exports.id, other.exportId));
    await tidyExports();
    expect(await listExports(userId)).toEqual([]);
    await deliverOutbox(200);
    const deleted = services.sink.events.filter(
      ({ name, data }) => name === 'export/deleted' && data.userId === userId,
    );
    expect(new Set(deleted.map(({ data }) => data.exportId))).toEqual(
      new Set([all.exportId, other.exportId, own.exportId]),
    );
  });
});
