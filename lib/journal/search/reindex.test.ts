import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entrySearch } from '@/db/schema/search';
import { makeEntryWithContent, searchEntryIds } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { INDEX_REVISION, reindexOutdated } from './reindex';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** An entry as the first revision of the index had it. */
async function makeOutdated(user: string, title: string): Promise<string> {
  const id = await makeEntryWithContent(user, { title, language: 'th' });
  await db().execute(sql`
    update entry_search set revision = 0, vector = search_vector(
      search_shelf(user_id, search_month(date)), search_forms(search_plain_before(${title}), false), '{}', '', '')
    where entry_id = ${id}`);
  return id;
}

const rowOf = async (id: string) => {
  const [row] = await db()
    .select({ revision: entrySearch.revision, version: sql<string>`xmin::text` })
    .from(entrySearch)
    .where(eq(entrySearch.entryId, id));
  return row;
};

it('finds what it found until an entry is indexed again, and then what’s inside of words', async () => {
  const { id: user } = await makeUser();
  const old = await makeOutdated(user, 'กินข้าวที่ตลาด, מִשְׁפָּחָה');
  const today = await makeEntryWithContent(user, { title: 'วันนี้', language: 'th' });
  const before = await rowOf(today);
  expect(before?.revision).toBe(INDEX_REVISION);
  expect(await searchEntryIds(user, 'กินข้าวที่ตลาด')).toEqual([old]);
  expect(await searchEntryIds(user, 'ข้าว')).toEqual([]);
  await reindexOutdated();
  expect(await searchEntryIds(user, 'ข้าว')).toEqual([old]);
  expect(await searchEntryIds(user, 'משפחה')).toEqual([old]);
  expect((await rowOf(old))?.revision).toBe(INDEX_REVISION);
  expect(await rowOf(today), 'isn’t written again').toEqual(before);
});

it('goes on through more than one batch', async () => {
  const { id: user } = await makeUser();
  const id = await makeEntryWithContent(user, { title: 'A day' });
  await db().execute(sql`
    insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status)
    select gen_random_uuid(), user_id, title, date, file_name, content_type, bytes, video_status
    from entries, generate_series(1, 220) where id = ${id}`);
  await db().update(entrySearch).set({ revision: 0 }).where(eq(entrySearch.userId, user));
  await reindexOutdated();
  expect(await db().$count(entrySearch, eq(entrySearch.revision, 0))).toBe(0);
});
