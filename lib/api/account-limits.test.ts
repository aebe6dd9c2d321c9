import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import * as settings from '@/lib/account/profile/contract';
import { presentProfile, updateProfile } from '@/lib/account/profile/service';
import * as transcripts from '@/lib/journal/transcripts/contract';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newEmail, signInUser } from '@/test/auth-fixtures';
import { said } from '@/test/transcript-fixtures';
import { endpoint } from './endpoint';

// As the routes do.
const GET = endpoint(settings.getProfile, ({ user }) => presentProfile(user));
const POST = endpoint(settings.updateProfile, ({ user, body }) => updateProfile(user, body));

// It locks the account, as a change of its profile does.
const POST_WORDS = endpoint(transcripts.saveTranscription, async ({ user }) => {
  await db().execute(sql`select 1 from users where id = ${user.id} for update`);
  return Response.json({});
});

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
  const context = { params: Promise.resolve({ id: randomUUID() }) };
  const post = (sent: object) =>
    new NextRequest(url, { method: 'POST', headers, body: JSON.stringify(sent) });
  return {
    id,
    read: () => GET(new NextRequest(url, { headers }), context),
    write: () => POST(post({ firstName: 'Ada', lastName: 'Byron' }), context),
    correct: () => POST_WORDS(post({ transcription: { words: said('I called Dad') } }), context),
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

it('saves an account’s transcripts one after the other, and refuses one whose turn doesn’t come', async () => {
  const [ada, bob] = [await addCaller(), await addCaller()];
  const lock = await admin.reserve();
  await lock`begin`;
  await lock`select 1 from users where id = ${ada.id} for update`;
  const first = ada.correct();
  await expect.poll(waitingForLocks, POLL).toBe(1);
  const second = await ada.correct();
  expect([second.status, await second.json()]).toEqual([
    429,
    { code: 'rate_limited', message: 'Too many requests at once. Wait a moment and try again.' },
  ]);
  expect(await waitingForLocks()).toBe(1);
  expect((await bob.correct()).status).toBe(200);
  await lock`rollback`;
  lock.release();
  expect((await first).status).toBe(200);
  expect(statusesOf(await Promise.all([1, 2, 3].map(ada.correct)))).toEqual([200, 200, 200]);
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
