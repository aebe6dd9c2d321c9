import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { saveTranscription as saveContract } from '@/lib/transcripts/contract';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newEmail, signInUser } from '@/test/auth-fixtures';
import { makeEntry } from '@/test/factories';
import { said } from '@/test/transcript-fixtures';
import { endpoint } from './endpoint';

// It only locks the entry, as saving does, and starts no job.
const POST = endpoint(saveContract, async ({ params }) => {
  await db().execute(sql`select 1 from entries where id = ${params.id} for update`);
  return Response.json({});
});

const POLL = { timeout: 20_000 };

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

/** Adds an account with an entry, and returns how to correct its transcript. */
async function addWriter() {
  const userId = await addUser(newEmail());
  const { id } = await makeEntry(userId);
  const { tokens } = await signInUser(userId);
  const headers = { cookie: `next-auth.session-token=${tokens.access}`, origin: 'http://localhost:3000' };
  const url = `http://localhost:3000/api/v1/entry/${id}/transcription`;
  const write = (text: string) => {
    const body = JSON.stringify({ transcription: { words: said(text) } });
    return POST(new NextRequest(url, { method: 'POST', headers, body }), { params: Promise.resolve({ id }) });
  };
  return { id, write };
}

async function waitingForLocks(): Promise<number> {
  const rows = await admin`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

it('saves an account’s transcripts one after the other, and refuses one whose turn doesn’t come', async () => {
  const [ada, bob] = [await addWriter(), await addWriter()];
  const lock = await admin.reserve();
  await lock`begin`;
  await lock`select 1 from entries where id = ${ada.id} for update`;
  const first = ada.write('one');
  await expect.poll(waitingForLocks, POLL).toBe(1);
  const second = await ada.write('two');
  expect(second.status).toBe(429);
  expect(await second.json()).toMatchObject({ code: 'rate_limited' });
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await waitingForLocks()).toBe(1);
  expect((await bob.write('three')).status).toBe(200);
  await lock`commit`;
  lock.release();
  expect((await first).status).toBe(200);
  const answers = await Promise.all(['four', 'five', 'six'].map((text) => ada.write(text)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
