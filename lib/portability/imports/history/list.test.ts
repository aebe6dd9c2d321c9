import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { imports } from '@/db/schema/imports';
import { purgeEntry, removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import { openClip, sendClip } from '@/test/clip-fixtures';
import { makeUser } from '@/test/factories';
import { idsOf, startImport } from '@/test/import-fixtures';
import { startLocalServices } from '@/test/services';
import { createImport, deleteOldImports, listImports } from './service';
import { undoImport } from './undo';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('the list of imports', () => {
  it('has those with entries and those undone, newest first', async () => {
    const { id: userId } = await makeUser();
    expect(await listImports(userId)).toEqual({ imports: [] });
    const { id: empty } = await createImport(userId, { kind: 'files', name: 'Empty' });
    await openClip(userId, empty);
    const { id: first } = await createImport(userId, { kind: 'takeout', name: 'takeout.zip' });
    const kept = await sendClip(userId, first, { date: '2024-05-01' });
    await sendClip(userId, first, { clip_id: '2', date: '2021-03-01' });
    const trashed = await sendClip(userId, first, { clip_id: '3', date: '2019-03-01' });
    await removeEntry(userId, trashed);
    const { id: second } = await createImport(userId, { kind: 'day_one', name: 'Day One.zip' });
    const gone = await sendClip(userId, second);
    await undoImport(userId, second);
    await restoreEntry(userId, gone);
    const { imports: listed } = await listImports(userId);
    expect(listed).toMatchObject([
      { id: second, kind: 'day_one', name: 'Day One.zip', entryCount: 0, firstDate: null, lastDate: null },
      {
        id: first,
        kind: 'takeout',
        entryCount: 2,
        firstDate: '2021-03-01',
        lastDate: '2024-05-01',
        undoneAt: null,
      },
    ]);
    expect(listed[0]?.undoneAt).toMatch(/Z$/);
    const until = Date.parse(listed[1]?.undoableUntil ?? '') - Date.parse(listed[1]?.createdAt ?? '');
    expect(until).toBe(30 * 24 * 3600 * 1000);
    expect(await idsOf(userId)).toContain(kept);
  });

  it('forgets an import once its last entry is permanently deleted', async () => {
    const { id: userId } = await makeUser();
    const importId = await startImport(userId);
    const [one, two] = [await sendClip(userId, importId), await sendClip(userId, importId, { clip_id: '2' })];
    const count = () => db().$count(imports, eq(imports.id, importId));
    await removeEntry(userId, one);
    await purgeEntry(userId, one);
    expect(await count()).toBe(1);
    await removeEntry(userId, two);
    await purgeEntry(userId, two);
    expect(await count()).toBe(0);
  });

  it('forgets an import without entries once it can’t be undone anymore', async () => {
    const { id: userId } = await makeUser();
    const [kept, unfinished, empty, recent] = [
      await startImport(userId),
      await startImport(userId),
      await startImport(userId),
      await startImport(userId),
    ];
    await sendClip(userId, kept);
    await openClip(userId, unfinished);
    const createdAt = new Date(Date.now() - 30.01 * 24 * 3600 * 1000);
    await db()
      .update(imports)
      .set({ createdAt })
      .where(inArray(imports.id, [kept, unfinished, empty]));
    await deleteOldImports();
    const left = await db().select({ id: imports.id }).from(imports).where(eq(imports.userId, userId));
    expect(left.map(({ id }) => id).sort()).toEqual([kept, unfinished, recent].sort());
  });
});
