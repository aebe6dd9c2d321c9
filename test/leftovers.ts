import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { workspaceRoot } from '@/lib/video/processing/entry-files';
import { makeEntry, makeUser } from './factories';
import { refuseWrites } from './refused-writes';

/** Something that one part of the sweep removes. */
interface Leftover {
  /** Makes one. */
  make(userId: string): Promise<unknown>;
  isThere(): Promise<boolean>;
  /** Makes the part fail, until what it returns is called. */
  breakIt(): Promise<() => Promise<unknown>>;
}

/** What is left in a table, and goes with its rows. */
const inTable = (
  table: string,
  make: Leftover['make'],
  { left = 'true', change = 'delete', when = 'true' } = {},
): Leftover => ({
  make,
  isThere: async () =>
    (await db().execute(sql`select from ${sql.raw(table)} where ${sql.raw(left)}`)).length > 0,
  breakIt: () => refuseWrites(table, change, when),
});

const insert = (table: string, columns: string, values: SQL) =>
  db().execute(sql`insert into ${sql.raw(table)} (${sql.raw(columns)}) values (${values})`);
const random = () => sql`${crypto.randomUUID()}`;
const old = sql`now() - interval '1000 days'`;

const oldEntry = (userId: string, values: Parameters<typeof makeEntry>[1]) =>
  makeEntry(userId, { ...values, createdAt: new Date(0) });

const leftWorkspace = () => path.join(workspaceRoot(), 'left');

/** One of everything that the sweep removes, by the name of the part that removes it. */
export const LEFTOVERS: Record<string, Leftover> = {
  outbox: inTable(
    'outbox',
    (userId) =>
      enqueueEvent(db(), `test-${crypto.randomUUID()}`, {
        name: 'entry/purged',
        data: { entryId: 'e', userId },
      }),
    { left: "id like 'test-%'", change: 'update' },
  ),
  uploads: inTable('entries', (userId) => oldEntry(userId, { videoStatus: 'uploading' }), {
    left: "trashed_at is null and video_status = 'uploading'",
    when: "old.trashed_at is null and old.video_status = 'uploading'",
  }),
  'expired-addresses': inTable('entries', (userId) => oldEntry(userId, { uploadExpiresAt: new Date(0) }), {
    left: 'upload_expires_at is not null',
    change: 'update',
    when: 'old.upload_expires_at is not null',
  }),
  'held-videos': inTable(
    'entries',
    (userId) => oldEntry(userId, { videoStatus: 'failed', heldByPlan: true, durationMs: 1 }),
    {
      left: 'held_by_plan',
      change: 'update',
      when: 'old.held_by_plan',
    },
  ),
  jobs: {
    ...inTable('entries', (userId) => makeEntry(userId, { transcriptStatus: 'processing' }), {
      left: "transcript_status = 'processing' and video_status = 'ready' and not exists (select from entry_jobs where entry_id = entries.id)",
    }),
    breakIt: () =>
      inTable('entry_jobs', async () => {}, { change: 'insert', when: "new.kind = 'transcript'" }).breakIt(),
  },
  trash: inTable('entries', (userId) => oldEntry(userId, { trashedAt: new Date(0) }), {
    left: 'trashed_at is not null',
    when: 'old.trashed_at is not null',
  }),
  deletions: inTable('account_deletions', async () => {
    const { id } = await makeUser();
    await insert('account_deletions', 'user_id, erases_at', sql`${id}, ${old}`);
  }),
  imports: inTable('imports', (userId) =>
    insert(
      'imports',
      'id, user_id, kind, name, created_at',
      sql`${random()}, ${userId}, 'files', '', ${old}`,
    ),
  ),
  reminders: inTable(
    'reminders',
    async () => {
      const { id } = await makeUser();
      await insert('reminders', 'user_id, hour, time_zone, due_at', sql`${id}, 20, 'UTC', ${old}`);
    },
    { left: 'due_at < now()', change: 'update' },
  ),
  letters: inTable(
    'weekly_letters',
    async () => {
      const { id } = await makeUser();
      await insert('weekly_letters', 'user_id, time_zone, due_at', sql`${id}, 'UTC', ${old}`);
    },
    { left: 'due_at < now()', change: 'update' },
  ),
  sessions: inTable('sessions', (userId) =>
    insert('sessions', 'id, user_id, created_at', sql`${random()}, ${userId}, ${old}`),
  ),
  devices: inTable('known_devices', (userId) =>
    insert('known_devices', 'user_id, hash, last_seen_at', sql`${userId}, ${random()}, ${old}`),
  ),
  notices: inTable('security_notices', (userId) =>
    insert(
      'security_notices',
      'user_id, hash, kind, payload, expires_at',
      sql`${userId}, ${random()}, 'device', '{}', ${old}`,
    ),
  ),
  challenges: inTable('spent_challenges', () =>
    insert('spent_challenges', 'hash, expires_at', sql`${random()}, ${old}`),
  ),
  activity: inTable('audit_events', () =>
    insert('audit_events', 'id, kind, at, network, device', sql`${random()}, 'login', ${old}, '', ''`),
  ),
  invitations: inTable('invitations', () =>
    insert(
      'invitations',
      'email, mail_hash, shown_hash, expires_at',
      sql`${random()}, ${random()}, ${random()}, ${old}`,
    ),
  ),
  limits: inTable('rate_limits', () => insert('rate_limits', 'key, points, expire', sql`${random()}, 1, 1`)),
  files: {
    make: async () => {
      await mkdir(leftWorkspace(), { recursive: true });
      await utimes(leftWorkspace(), 0, 0);
    },
    isThere: () =>
      stat(leftWorkspace()).then(
        () => true,
        () => false,
      ),
    breakIt: async () => {
      await rm(workspaceRoot(), { recursive: true, force: true });
      await writeFile(workspaceRoot(), 'where the folder would be');
      return async () => {
        await rm(workspaceRoot());
        await LEFTOVERS.files?.make('');
      };
    },
  },
};
