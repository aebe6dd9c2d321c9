import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db, hasAnsweredWithin } from '@/db/client';
import { middleware } from '@/middleware';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { signInUser } from '@/test/auth-fixtures';

const POOL_SIZE = 2;

let end: () => Promise<void>;
let cookie: string;

beforeAll(async () => {
  end = await useFreshDatabase({ settings: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
  const { tokens } = await signInUser(await addUser('ada@example.com'));
  cookie = `next-auth.session-token=${tokens.access}`;
});
afterAll(() => end());

const open = (headers: Record<string, string>) =>
  middleware(new NextRequest('http://localhost:3000/journals', { headers }));

it('is what a page needs: without it, people get one that says so, with 503 and when to try again', async () => {
  expect((await open({ cookie })).status).toBe(200);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holders = Array.from({ length: POOL_SIZE }, () =>
    db().transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await released;
    }),
  );
  // Something that has just worked is reason enough to try.
  await expect.poll(() => hasAnsweredWithin(1000), { timeout: 30_000 }).toBe(false);

  const page = await open({ cookie });
  expect(page.status).toBe(503);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const text = await page.text();
  expect(text).toContain('Daylight is busy right now');
  expect(text).not.toMatch(/Error|POOL_TIMEOUT/);
  // An open page keeps what it shows, and a visitor needs no database.
  expect((await open({ cookie, rsc: '1' })).status).toBe(200);
  expect((await open({})).status).toBe(307);

  release();
  await Promise.all(holders);
  expect((await open({ cookie })).status).toBe(200);
});
