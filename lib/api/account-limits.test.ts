import { NextRequest } from 'next/server';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getProfile, updateProfile as updateContract } from '@/lib/settings/contract';
import { presentProfile, updateProfile } from '@/lib/settings/service';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newEmail, signInUser } from '@/test/auth-fixtures';
import { endpoint } from './endpoint';

// As the routes do.
const GET = endpoint(getProfile, ({ user }) => presentProfile(user));
const POST = endpoint(updateContract, ({ user, body }) => updateProfile(user, body));

const POLL = { timeout: 20_000 };
/** How many of the pool's ten connections one account's requests hold. */
const SHARE = 4;
const BURST = 600;

let takeDown: () => Promise<void>;
let admin: postgres.Sql;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  admin = postgres(process.env.DATABASE_URL ?? '', { max: 2 });
});
afterAll(async () => {
  await admin.end();
  await takeDown();
});

/** Adds an account, and returns how to call the API as it. */
async function addCaller() {
  const id = await addUser(newEmail());
  const { tokens } = await signInUser(id);
  const headers = { cookie: `next-auth.session-token=${tokens.access}`, origin: 'http://localhost:3000' };
  const url = 'http://localhost:3000/api/v1/profile_details';
  const context = { params: Promise.resolve({}) };
  const body = JSON.stringify({ firstName: 'Ada', lastName: 'Byron' });
  return {
    id,
    read: () => GET(new NextRequest(url, { headers }), context),
    write: () => POST(new NextRequest(url, { method: 'POST', headers, body }), context),
  };
}

async function waitingForLocks(): Promise<number> {
  const rows = await admin`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();

it('leaves connections for others while an account’s writes wait for a lock, and refuses the rest of them', async () => {
  const [ada, bob] = [await addCaller(), await addCaller()];
  const lock = await admin.reserve();
  await lock`begin`;
  await lock`select 1 from users where id = ${ada.id} for update`;
  const answers: Response[] = [];
  const writes = Array.from({ length: 14 }, () => ada.write().then((answer) => answers.push(answer)));
  await expect.poll(waitingForLocks, POLL).toBe(SHARE);
  for (const call of [bob.read, bob.write]) {
    expect(statusesOf(await Promise.all(Array.from({ length: 8 }, call)))).toEqual(Array(8).fill(200));
  }
  expect(await waitingForLocks()).toBe(SHARE);
  await expect.poll(() => answers.length, POLL).toBe(14 - SHARE);
  for (const answer of answers) {
    expect([answer.status, await answer.json()]).toEqual([
      429,
      { code: 'rate_limited', message: 'Too many requests at once. Wait a moment and try again.' },
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await lock`rollback`;
  lock.release();
  await Promise.all(writes);
  expect(statusesOf(answers.slice(-SHARE))).toEqual(Array(SHARE).fill(200));
  expect((await ada.write()).status).toBe(200);
});

it('refuses more changes than any person makes, of the one who makes them', async () => {
  const [ada, bob] = [await addCaller(), await addCaller()];
  let refused: Response | undefined;
  let written = 0;
  const writeOn = async () => {
    while (!refused && written < BURST * 4) {
      const answer = await ada.write();
      if (answer.status === 200) written += 1;
      else refused = answer;
    }
  };
  await Promise.all(Array.from({ length: SHARE }, writeOn));
  expect([refused?.status, await refused?.json()]).toEqual([
    429,
    { code: 'rate_limited', message: 'Too many changes at once. Wait a moment and try again.' },
  ]);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(written).toBeGreaterThanOrEqual(BURST);
  expect((await ada.read()).status).toBe(200);
  expect((await bob.write()).status).toBe(200);
});
