import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { invitations, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { imports } from '@/db/schema/imports';
import { hiddenMemories } from '@/db/schema/memories';
import { outbox } from '@/db/schema/outbox';
import { reminders } from '@/db/schema/reminders';
import { transcripts, vocabulary } from '@/db/schema/transcripts';
import { requestDeletion } from '@/lib/account/deletion/service';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login, requestReset } from '@/lib/account/registration/service';
import { requestEmailChange } from '@/lib/account/security/service';
import { authenticate } from '@/lib/account/sessions/service';
import { startCheckout } from '@/lib/billing/subscriptions/service';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { keyedHash } from '@/lib/limits/keyed-hash';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { waitUntil } from '@/local/inngest/test-runner';
import { startResend } from '@/local/resend/server';
import { startStripe } from '@/local/stripe/server';
import { submitForm, TEST_SECRET_KEY, TEST_WEBHOOK_SECRET } from '@/local/stripe/test-server';
import { newClientInfo } from './client-info';
import { canaries, findCanaries } from './leaks/canaries';
import { copyWithCanaries, makeEntryWithCanaries } from './leaks/entry';
import { type LeakFixture, startLeakFixture } from './leaks/fixture';
import { transcriptResponse } from './leaks/responses';
import { h264Mp4 } from './media/clips';

const PASSWORD = 'three quiet lamps';
/** Where the account never moved. */
const NEW_ADDRESS = 'never-confirmed@example.com';
const SWEEP_MS = 120_000;

let stage: LeakFixture;
const closing: { close(): Promise<void> }[] = [];
/** What the local services log. */
const serviceLogs: string[] = [];
const log = (line: Record<string, unknown>) => serviceLogs.push(JSON.stringify(line));

beforeAll(async () => {
  stage = await startLeakFixture('speech service', async (folder) => {
    const mail = await startResend({ dir: path.join(folder, 'mail'), apiKey: 're_test', log });
    const stripe = await startStripe({
      dir: path.join(folder, 'stripe'),
      secretKey: TEST_SECRET_KEY,
      webhookSecret: TEST_WEBHOOK_SECRET,
      webhookUrl: () => 'http://127.0.0.1:9',
      log,
    });
    closing.push(mail, stripe);
    return {
      RESEND_BASE_URL: mail.url,
      STRIPE_SECRET_KEY: TEST_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: TEST_WEBHOOK_SECRET,
      STRIPE_API_BASE: stripe.url,
    };
  });
  stage.faults.speech = transcriptResponse;
});
afterAll(async () => {
  for (const service of closing) await service.close();
  await stage.end();
});

/** Returns every row of every table, also of the job service's, as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await stage.sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  expect(tables.length).toBeGreaterThan(30);
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await stage.sql<{ text: string }[]>`
      select row_to_json(one)::text as text from ${stage.sql(schema)}.${stage.sql(name)} one`;
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
}

/** Returns the table of each row in a dump that names an id. */
const tablesNaming = (id: string, dump: string): string[] =>
  dump.split('\n').flatMap((row) => (row.includes(id) ? [row.split(':', 1)[0] ?? ''] : []));

/** Returns everything that storage, the mailbox, Stripe, and the jobs have on the disk, file by file with its path. */
async function readFiles(): Promise<{ name: string; text: string }[]> {
  const found = await readdir(stage.folder, { recursive: true });
  // The fixture's own script quotes all phrases.
  const kept = found.filter((name) => !/(^|\/)canary\/ff(mpeg|probe)$/.test(name));
  const files: { name: string; text: string }[] = [];
  for (const name of kept) {
    const file = path.join(stage.folder, name);
    try {
      if ((await stat(file)).isFile()) files.push({ name: file, text: await readFile(file, 'latin1') });
    } catch (error) {
      // The emulators write new versions next to the old ones, and rename them.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return files;
}

const inFiles = async () => findCanaries((await readFiles()).map(({ name, text }) => name + text).join('\n'));

/** Makes an account with an entry whose jobs have run, and a phrase in every text. */
async function makeJournal() {
  const clip = await copyWithCanaries(await h264Mp4(), 'erased.mp4');
  const entry = await makeEntryWithCanaries(clip, {});
  await db()
    .insert(vocabulary)
    .values(canaries.corrected.map((word) => ({ userId: entry.userId, word })));
  await enqueueEvent(db(), `test-${entry.entryId}`, { name: 'entry/uploaded', data: entry });
  await deliverOutbox();
  await stage.runsEnded(entry.entryId);
  await db()
    .insert(hiddenMemories)
    .values({ id: crypto.randomUUID(), ...entry });
  const revisions = await db().$count(transcripts, eq(transcripts.entryId, entry.entryId));
  expect(revisions, 'heard and corrected').toBe(2);
  return entry;
}

/** What only an entry has, and not its account. */
const OF_THE_ENTRY = [
  canaries.title,
  canaries.fileName.replace('.mp4', ''),
  ...canaries.notes,
  ...canaries.corrected,
  ...canaries.spoken,
  canaries.fileTitle,
  canaries.fileComment,
];

describe('after an entry was permanently deleted', () => {
  it('nothing of it is left anywhere', async () => {
    const { userId, entryId } = await makeJournal();
    expect(findCanaries(await dumpDatabase())).toEqual(expect.arrayContaining(OF_THE_ENTRY.slice(0, -2)));
    expect(await inFiles()).toEqual(expect.arrayContaining(OF_THE_ENTRY.slice(-2)));
    await removeEntry(userId, entryId);
    await purgeEntry(userId, entryId);
    await deliverOutbox();
    await stage.runsEnded(entryId);
    const dump = await dumpDatabase();
    expect(tablesNaming(entryId, dump), 'the purges that are still due').toEqual(['outbox', 'outbox']);
    const left = [...findCanaries(dump), ...(await inFiles())];
    expect(left.filter((phrase) => OF_THE_ENTRY.includes(phrase))).toEqual([]);
    await db().delete(users).where(eq(users.id, userId));
  });
});

describe('after an account was deleted', () => {
  /** Leaves traces of an account wherever there can be some, and requests its deletion. */
  async function requestWithTraces(): Promise<{ userId: string; email: string }> {
    const { userId } = await makeJournal();
    const passwordHash = await hashPassword(PASSWORD);
    await db().update(users).set({ passwordHash }).where(eq(users.id, userId));
    const [account] = await db().select().from(users).where(eq(users.id, userId));
    const email = account?.email ?? '';
    await login({ email, password: 'wrong' }, newClientInfo()).catch(() => undefined);
    const { tokens } = await login({ email, password: PASSWORD }, newClientInfo());
    const user = await authenticate(tokens.access);
    if (!user) throw new Error('not signed in');
    await submitForm(await startCheckout(user, 'Basic'), { action: 'pay', card: '4242424242424242' });
    const proof = { currentPassword: PASSWORD };
    await requestEmailChange(user, { email: NEW_ADDRESS, ...proof }, newClientInfo());
    await requestReset(email);
    await deliverOutbox();
    const invited = { email, mailHash: 'mailed', shownHash: 'shown', expiresAt: new Date() };
    await db().insert(invitations).values(invited);
    await db()
      .insert(imports)
      .values({ id: crypto.randomUUID(), userId, kind: 'files', name: canaries.fileName });
    await db()
      .insert(reminders)
      .values({ userId, hour: 20, timeZone: 'UTC', dueAt: new Date(Date.now() + 1e9) });
    await requestDeletion(user, proof, newClientInfo());
    return { userId, email };
  }

  it('a search for its address and 31 phrases finds nothing', async () => {
    const { userId, email } = await requestWithTraces();
    expect(findCanaries(await dumpDatabase())).toHaveLength(28);
    const counter = keyedHash([email]);
    expect(await dumpDatabase(), 'how many emails were asked for').toContain(counter);
    expect((await readFiles()).filter(({ text }) => text.includes(email)).length).toBeGreaterThan(1);
    expect((await readFiles()).filter(({ text }) => text.includes(NEW_ADDRESS))).toHaveLength(1);
    const past = { requestedAt: sql`now() - interval '8 days'`, erasesAt: sql`now() - interval '1 day'` };
    await db().update(accountDeletions).set(past).where(eq(accountDeletions.userId, userId));
    stage.advance(SWEEP_MS);
    const isGone = async () => (await db().$count(users, eq(users.id, userId))) === 0;
    await waitUntil('the erasure', isGone, 60_000);
    // Those being sent have a due time in the future, too.
    const unsent = sql`${outbox.id} <> ${`erased-at-last-${userId}`} and ${outbox.id} not like 'purged-%'`;
    const isSent = async () => (await db().$count(outbox, unsent)) === 0;
    await waitUntil('the last email and event', isSent, 60_000);
    await waitUntil('the end of what the event starts', async () => {
      const open = await stage.sql`
        select from canary_jobs.runs where event like ${`%${userId}%`} and ended_at is null
        union all select from canary_jobs.events where not routed`;
      return open.length === 0;
    });

    const dump = await dumpDatabase();
    expect(findCanaries(dump)).toEqual([]);
    expect(dump).not.toContain(counter);
    expect(tablesNaming(userId, dump), 'the event that is due a day later').toEqual(['outbox']);
    expect(await db().$count(entries, eq(entries.userId, userId))).toBe(0);
    const files = await readFiles();
    const [last, ...more] = files.filter(({ name, text }) => findCanaries(name + text).length > 0);
    expect(more).toEqual([]);
    expect(files.filter(({ text }) => text.includes(NEW_ADDRESS)).map(({ name }) => name)).toEqual([]);
    expect(last?.name).toContain('/mail/');
    expect(JSON.parse(last?.text ?? '')).toMatchObject({
      to: [email],
      subject: 'Your account has been deleted',
    });
    expect(findCanaries(last?.text ?? ''), 'the address itself').toEqual(['plant3d05secret']);
    expect(files.filter(({ name }) => name.includes(userId))).toEqual([]);
    const { logs, kept } = await stage.stopAndCollect();
    expect(kept).not.toContain(userId);
    expect(logs).toContain('account.erased');
    expect(serviceLogs.length).toBeGreaterThan(0);
    expect(findCanaries([logs, ...serviceLogs].join('\n'))).toEqual([]);
    expect(findCanaries(kept)).toEqual([]);
  });
});
