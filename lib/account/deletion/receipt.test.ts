import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { type HttpServer, startHttpServer } from '@/test/leaks/proxy';
import { erasedMail, newReceipt, receiptKeys, signReceipt } from './receipt';

let site: HttpServer;
let folder: string;

beforeAll(async () => {
  Object.assign(process.env, TEST_SETTINGS, { DATABASE_URL: 'postgres://localhost/none' });
  folder = await mkdtemp(path.join(tmpdir(), 'daylight-receipt-'));
  const [, script = ''] =
    /```js\n([\s\S]+?)```/.exec(readFileSync('docs/deletion-receipts.md', 'utf8')) ?? [];
  await writeFile(path.join(folder, 'verify.mjs'), script);
  site = await startHttpServer((_incoming, _body, outgoing) =>
    outgoing.end(JSON.stringify({ keys: receiptKeys() })),
  );
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

/** Runs the program from the document as a person would. */
async function verify(receipt: string): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [path.join(folder, 'verify.mjs'), site.url], { stdio: 'pipe' });
  child.stdin.end(receipt);
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, printed };
}

const at = new Date('2026-11-24T01:00:00Z');
const counts = { entries: 214, entriesInTrash: 3, bytes: 31_200_000_000, seconds: 90_000, transcripts: 0 };
const deletion = {
  userId: crypto.randomUUID(),
  requestedAt: at,
  erasesAt: at,
  startedAt: at,
  counts: {
    ...counts,
    revisions: 0,
    notes: 87,
    tags: 1,
    hiddenMemories: 0,
    vocabulary: 0,
    stripeCustomers: 1,
    subscriptions: 1,
  },
  objects: 900,
  bytes: 40_000_000_000,
  uploadsExpireAt: null,
};

it('is in the email, says what was erased, and can be checked as documented', async () => {
  const mail = await erasedMail('ada@example.com', newReceipt(deletion));
  expect(mail.text).toContain('214 entries, 3 of them in the trash, 31.20 GB of video, 87 notes, and 1 tag');
  const [receipt = ''] = /ey\S+\.\S+\.\S+/.exec(mail.text) ?? [];
  const { code, printed } = await verify(`${receipt.slice(0, 60)}\n ${receipt.slice(60)}\n`);
  expect(code).toBe(0);
  for (const part of ['entries: 214', 'objects: 900', 'objectBytes: 40000000000', "site: 'localhost:3000'"]) {
    expect(printed).toContain(part);
  }
  // Not the name alone: an id may have those letters.
  for (const personal of ['ada@', deletion.userId]) expect(printed).not.toContain(personal);
});

it('says what became of the subscription and the details at Stripe, if there were any', async () => {
  const textWith = async (billing: { stripeCustomers: number; subscriptions: number }) => {
    const receipt = newReceipt({ ...deletion, counts: { ...deletion.counts, ...billing } });
    return (await erasedMail('ada@example.com', receipt)).text;
  };
  const both = await textWith({ stripeCustomers: 1, subscriptions: 1 });
  for (const said of ['Your subscription has ended', 'Your details at Stripe']) expect(both).toContain(said);
  const former = await textWith({ stripeCustomers: 1, subscriptions: 0 });
  expect(former).toContain('Your details at Stripe');
  expect(former).not.toContain('subscription');
  expect(await textWith({ stripeCustomers: 0, subscriptions: 0 })).not.toContain('Stripe');
});

it('isn’t accepted if anything in it was changed, or another key signed it', async () => {
  const receipt = signReceipt(newReceipt(deletion));
  const [head = '', body = '', signature = ''] = receipt.split('.');
  const more = Buffer.from(Buffer.from(body, 'base64url').toString().replace('214', '215')).toString(
    'base64url',
  );
  const unknown = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'another' })).toString('base64url');
  for (const forged of [
    [head, more, signature],
    [unknown, body, signature],
    [head, body, ''],
  ]) {
    expect((await verify(forged.join('.'))).code).toBe(1);
  }
});

it('has keys that depend on nothing but the secret', () => {
  const [key, ...others] = receiptKeys();
  expect(others).toEqual([]);
  expect(receiptKeys()).toEqual([key]);
  expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/) });
  expect(JSON.stringify(key)).not.toContain('"d"');
});
