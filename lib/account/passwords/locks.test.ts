import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, signInUser } from '@/test/auth-fixtures';
import { lockAccountForSession } from './locks';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

it('an account is changed for sessions of its own alone', async () => {
  const [{ user: ada }, { user: bob }] = [
    await signInUser(await createAccount()),
    await signInUser(await createAccount()),
  ];
  const lock = (sessionId: string) =>
    db().transaction((tx) => lockAccountForSession(tx, { ...ada, sessionId }));
  await expect(lock(bob.sessionId)).rejects.toMatchObject({ code: 'unauthenticated' });
  await lock(ada.sessionId);
});
