import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { describePeople } from './list';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

it('says that there’s nobody yet, and has no table without rows', async () => {
  expect(await describePeople({ json: false })).toBe('There are no accounts yet.');
  const { email } = await makeUser();
  const listed = await describePeople({ json: false });
  expect(listed.split('\n')).toEqual([expect.stringMatching(/^EMAIL /), expect.stringContaining(email)]);
});
