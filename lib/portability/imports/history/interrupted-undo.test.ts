import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { planDetails } from '@/lib/billing/plans/service';
import { listTrash } from '@/lib/journal/entries/trash';
import { listTags } from '@/lib/journal/tags/service';
import { openClip, sendClip } from '@/test/clip-fixtures';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { idsOf, importAll, startImport } from '@/test/import-fixtures';
import { observe } from '@/test/observed-account';
import { refuseWrites } from '@/test/refused-writes';
import { fullArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';
import { listImports } from './service';
import { undoImport } from './undo';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const tagNames = async (userId: string) => (await listTags(userId)).map(({ name }) => name);

describe('an undo can be finished after it was killed', () => {
  it('in the middle', async () => {
    const { id: userId } = await makeUser({ grantedPlan: 'Standard' });
    const importId = await startImport(userId);
    const sent = await sendClip(userId, importId, { tags: [{ name: 'Boats', color: '#112233' }] });
    const made: string[] = [];
    for (let n = 0; n < 520; n += 1) made.push((await makeEntry(userId)).id);
    const values = made.map((entryId) => ({ entryId, importId, date: '2026-01-15', content: '' }));
    await db().insert(importedEntries).values(values);
    // The second batch fails.
    const mend = await refuseWrites('entries', 'update', `new.id = '${made.at(-1)}'`);
    await expect(undoImport(userId, importId)).rejects.toThrow();
    expect(await listTrash(userId)).toHaveLength(500);
    expect(await listImports(userId)).toMatchObject({ imports: [{ entryCount: 21, undoneAt: null }] });
    expect(await codeOf(openClip(userId, importId, { clip_id: 'late' }))).toBe('conflict');
    await mend();
    await db()
      .update(imports)
      .set({ createdAt: new Date('2024-01-01') })
      .where(eq(imports.id, importId));
    expect(await undoImport(userId, importId)).toEqual({ entryCount: 521 });
    expect([await tagNames(userId), (await idsOf(userId)).includes(sent)]).toEqual([[], true]);
    expect((await planDetails(userId)).videoCount).toBe(0);
  });

  it('at its end', async () => {
    const { id: userId } = await makeUser({ grantedPlan: 'Standard' });
    const before = await observe(userId);
    const { journal, files } = fullArchive();
    const importId = await importAll(userId, journal, files);
    const mend = await refuseWrites('imports', 'update', 'new.undo_finished_at is not null');
    await expect(undoImport(userId, importId)).rejects.toThrow();
    // Its tags go with its end.
    expect(await tagNames(userId)).toContain('Trip');
    await mend();
    await undoImport(userId, importId);
    expect(await observe(userId)).toEqual(before);
  });
});
