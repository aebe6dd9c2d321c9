import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, tags } from '@/db/schema/entries';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, signInUser } from '@/test/auth-fixtures';
import { makeEntryWithContent, makeTag } from '@/test/entry-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import * as search from './search/route';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

it('a search takes tags that are repeated or in one list, and the first of several queries', async () => {
  const userId = await createAccount();
  const browser = createRouteBrowser();
  browser.jar.set(cookieNames().access, (await signInUser(userId)).tokens.access);
  const both = await makeEntryWithContent(userId, { words: 'sun', tag: 'Sea' });
  const one = await makeEntryWithContent(userId, { words: 'sun' });
  const home = await makeTag(userId, 'Home');
  await db()
    .insert(entryTags)
    .values([both, one].map((entryId) => ({ entryId, tagId: home })));
  const [sea] = await db().select().from(tags).where(eq(tags.name, 'Sea'));
  const find = async (query: string) => {
    const { json } = await browser.send(search, 'GET', `/api/v1/search?${query}`);
    return (json as { id: string }[]).map(({ id }) => id).sort();
  };
  expect(await find(`categories=${home}`)).toEqual([both, one].sort());
  expect(await find(`categories=${home}&categories=${sea?.id}`)).toEqual([both]);
  expect(await find(`categories=${home},${sea?.id}`)).toEqual([both]);
  expect(await find('query=sun&query=moon')).toEqual([both, one].sort());
});
