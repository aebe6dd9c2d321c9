import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import postgres from 'postgres';
import { login, register, verifyEmail } from '@/lib/account/registration/contract';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { freePort } from '@/local/up/ports';
import { newAccountDetails, signUp } from './accounts';
import { createClient, uploadVideo, waitForProcessing } from './client';
import { openMailbox } from './mailbox';
import { test } from './own-copy';
import { killTree } from './process-tree';
import { slowClip } from './slow-clip';
import { listObjects } from './storage';

test.setTimeout(400_000);

test('uploads that a kill -9 of everything interrupts are completed once after the next start', async ({
  own,
}) => {
  const clip = await slowClip();
  const before = await own.start();
  const account = await signUp(before.url, openMailbox(before));
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    ids.push(await uploadVideo(account.api, clip, { title, contentType: 'video/webm' }));
  }
  const statuses = async () => {
    const all = ids.map((id) => account.api.call(getEntry, { params: { id } }));
    return (await Promise.all(all)).map(({ videoStatus }) => videoStatus);
  };
  await expect.poll(statuses, { timeout: 60_000 }).toContain('processing');
  await killTree(before.child.pid ?? 0, own.dataDir);
  await expect(fetch(before.url)).rejects.toThrow();

  const after = await own.start({ PORT: new URL(before.url).port });
  expect(await statuses(), 'the kill came before the end').not.toEqual(['ready', 'ready', 'ready']);
  for (const id of ids) {
    await expect
      .poll(async () => (await account.api.call(getEntry, { params: { id } })).videoStatus, {
        timeout: 300_000,
        intervals: [500],
      })
      .toBe('ready');
    const entry = await waitForProcessing(account.api, id, 'transcript');
    expect([entry.status, entry.transcription.status]).toEqual(['completed', 'no_speech']);
  }
  expect((await account.api.call(listEntries)).map(({ title }) => title).sort()).toEqual([
    'One',
    'Three',
    'Two',
  ]);

  const sql = postgres(after.addresses.database, { max: 1 });
  try {
    const rows = await sql`select id from entries`;
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    // What is cleared away at the end of a job may follow its last visible state.
    await expect.poll(async () => (await sql`select id from outbox`).length).toBe(0);
  } finally {
    await sql.end();
  }
  const keys = async () => (await listObjects(after)).map((key) => key.split('/').slice(2).join('/'));
  const namesOf = async (id: string) => {
    const names = (await keys()).filter((key) => key.startsWith(id)).map((key) => key.slice(id.length + 1));
    return names.filter((name) => !name.startsWith('remux.')).sort();
  };
  // The storyboard is made after the video can be watched.
  for (const id of ids) {
    await expect
      .poll(() => namesOf(id), { timeout: 60_000 })
      .toEqual(['source', 'storyboard.jpg', 'thumbnail.jpg', 'video.mp4']);
  }
  const objects = await keys();
  expect(objects.filter((key) => !ids.some((id) => key.startsWith(id)))).toEqual([]);
  expect(await openMailbox(after).all(account.email)).toHaveLength(1);
});

test('signing up works while mail is away, and one mail comes when it is back', async ({ own }) => {
  const port = await freePort();
  const app = await own.start({ RESEND_BASE_URL: `http://127.0.0.1:${port}`, RESEND_API_KEY: 're_test' });
  const client = createClient(app.url);
  const person = newAccountDetails();
  expect(await client.call(register, { body: person })).toEqual({ accountStatus: 'NOT_VERIFIED' });
  const sql = postgres(app.addresses.database, { max: 1 });
  const waiting = async () =>
    (await sql<{ attempts: number }[]>`select attempts from outbox where kind = 'mail'`)[0];
  await expect.poll(async () => (await waiting())?.attempts, { timeout: 30_000 }).toBeGreaterThan(0);

  const mails = new Map<string, string>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      mails.set(`${request.headers['idempotency-key']} ${mails.size}`, body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: crypto.randomUUID() }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    await expect.poll(waiting, { timeout: 300_000, intervals: [500] }).toBeUndefined();
    expect(mails.size).toBe(1);
    const mail = JSON.parse([...mails.values()][0] ?? '') as { to: string | string[]; text: string };
    expect([mail.to].flat()).toEqual([person.email]);
    const [, uid = '', token = ''] = /\/verify_email\/([\w-]+)\/([\w-]+)\//.exec(mail.text) ?? [];
    await client.call(verifyEmail, { params: { uid, token } });
    const { email, password } = person;
    expect(await client.call(login, { body: { email, password } })).toEqual({ accountStatus: 'VERIFIED' });
    expect(mails.size).toBe(1);
  } finally {
    await sql.end();
    await waitForClose(server);
  }
});

test('an email whose request was killed goes out soon after the app is back', async ({ own }) => {
  const keys: string[] = [];
  let isStuck = true;
  const server = createServer((request, response) => {
    // The checks at startup send GET requests.
    if (request.method === 'POST') keys.push(String(request.headers['idempotency-key']));
    if (isStuck) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: crypto.randomUUID() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const app = await own.start({ RESEND_BASE_URL: `http://127.0.0.1:${port}`, RESEND_API_KEY: 're_test' });
    await createClient(app.url).call(register, { body: newAccountDetails() });
    await expect.poll(() => keys.length, { timeout: 60_000 }).toBe(1);
    const { pid } = JSON.parse(readFileSync(join(own.dataDir, 'app.pid'), 'utf8')) as { pid: number };
    isStuck = false;
    process.kill(pid, 'SIGKILL');
    const killedAt = Date.now();
    await expect.poll(() => keys.length, { timeout: 300_000, intervals: [100] }).toBe(2);
    test.info().annotations.push({ type: 'seconds', description: String((Date.now() - killedAt) / 1000) });
    expect(keys[1], 'the same email').toBe(keys[0]);
  } finally {
    await waitForClose(server);
  }
});

function waitForClose(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
