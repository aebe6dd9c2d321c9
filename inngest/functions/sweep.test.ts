import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { enqueueEvent } from '@/lib/outbox/service';
import { type RunnerFixture, startRunnerFixture } from '@/local/inngest/test-runner';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { sweep } from './sweep';

/** Something that one part of the sweep removes. */
interface Leftover {
  /** Makes one. */
  make(userId: string): Promise<unknown>;
  isThere(): Promise<boolean>;
  /** Makes the part fail, until what it returns is called. */
  breakIt(): Promise<() => Promise<unknown>>;
}

let services: Awaited<ReturnType<typeof startLocalServices>>;
let stage: RunnerFixture;
let userId: string;

beforeAll(async () => {
  services = await startLocalServices();
  process.env.TMPDIR = services.folder('tmp');
  const owner = postgres(services.databaseUrl, { max: 1 });
  // A part that waits for a lock is to wait for as long as a test holds it.
  const [{ name } = { name: '' }] = await owner<{ name: string }[]>`select current_database() as name`;
  for (const setting of ['lock_timeout', 'statement_timeout']) {
    await owner`alter role session_user in database ${owner(name)} set ${owner(setting)} = 0`;
  }
  await owner.end();
  await db().execute(sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test'; end $$`);
  userId = (await makeUser()).id;
  stage = await startRunnerFixture(services.databaseUrl, (client) => [sweep(client)]);
});
afterAll(async () => {
  await stage.close();
  await services.end();
});

/** What is left in a table, and goes with its rows. */
const inTable = (
  table: string,
  make: Leftover['make'],
  { left = 'true', change = 'delete', when = 'true' } = {},
): Leftover => ({
  make,
  isThere: async () =>
    (await db().execute(sql`select from ${sql.raw(table)} where ${sql.raw(left)}`)).length > 0,
  breakIt: async () => {
    await db().execute(
      sql.raw(
        `create trigger refuse before ${change} on ${table} for each row when (${when}) execute function refuse()`,
      ),
    );
    return () => db().execute(sql.raw(`drop trigger refuse on ${table}`));
  },
});

const insert = (table: string, columns: string, values: SQL) =>
  db().execute(sql`insert into ${sql.raw(table)} (${sql.raw(columns)}) values (${values})`);
const random = () => sql`${crypto.randomUUID()}`;
const old = sql`now() - interval '1000 days'`;
const oldEntry = (values: Parameters<typeof makeEntry>[1]) =>
  makeEntry(userId, { ...values, createdAt: new Date(0) });

const workspaces = () => path.join(services.folder('tmp'), 'daylight-work');
const leftWorkspace = () => path.join(workspaces(), 'left');

const leftovers: Record<string, Leftover> = {
  outbox: inTable(
    'outbox',
    () =>
      enqueueEvent(db(), `test-${crypto.randomUUID()}`, {
        name: 'entry/purged',
        data: { entryId: 'e', userId },
      }),
    { left: "id like 'test-%'", change: 'update' },
  ),
  uploads: inTable('entries', () => oldEntry({ videoStatus: 'uploading' }), {
    left: "trashed_at is null and video_status = 'uploading'",
    when: "old.trashed_at is null and old.video_status = 'uploading'",
  }),
  'expired-addresses': inTable('entries', () => oldEntry({ uploadExpiresAt: new Date(0) }), {
    left: 'upload_expires_at is not null',
    change: 'update',
    when: 'old.upload_expires_at is not null',
  }),
  'held-videos': inTable(
    'entries',
    () => oldEntry({ videoStatus: 'failed', heldByPlan: true, durationMs: 1 }),
    {
      left: 'held_by_plan',
      change: 'update',
      when: 'old.held_by_plan',
    },
  ),
  jobs: {
    ...inTable('entries', () => makeEntry(userId, { transcriptStatus: 'processing' }), {
      left: "transcript_status = 'processing' and video_status = 'ready' and not exists (select from entry_jobs where entry_id = entries.id)",
    }),
    breakIt: () =>
      inTable('entry_jobs', async () => {}, { change: 'insert', when: "new.kind = 'transcript'" }).breakIt(),
  },
  trash: inTable('entries', () => oldEntry({ trashedAt: new Date(0) }), {
    left: 'trashed_at is not null',
    when: 'old.trashed_at is not null',
  }),
  deletions: inTable('account_deletions', async () => {
    const { id } = await makeUser();
    await insert('account_deletions', 'user_id, erases_at', sql`${id}, ${old}`);
  }),
  imports: inTable('imports', () =>
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
  sessions: inTable('sessions', () =>
    insert('sessions', 'id, user_id, created_at', sql`${random()}, ${userId}, ${old}`),
  ),
  devices: inTable('known_devices', () =>
    insert('known_devices', 'user_id, hash, last_seen_at', sql`${userId}, ${random()}, ${old}`),
  ),
  notices: inTable('security_notices', () =>
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
      await rm(workspaces(), { recursive: true, force: true });
      await writeFile(workspaces(), 'where the folder would be');
      return async () => {
        await rm(workspaces());
        await leftovers.files?.make(userId);
      };
    },
  },
};

/** For what hangs, and no measure of speed. */
const WAIT = { timeout: 120_000, interval: 50 };
const names = Object.keys(leftovers);

async function left(): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => ((await leftovers[name]?.isThere()) ? name : [])),
  );
  return found.flat();
}

const makeAll = async () => {
  for (const name of names) await leftovers[name]?.make(userId);
};

/** Lets the next run start. @returns gives the run, as it then is */
async function nextRun() {
  const known = new Set((await stage.runs()).map(({ id }) => id));
  stage.advance(120_000);
  return vi.waitFor(async () => {
    const run = (await stage.runs()).findLast(({ id }) => !known.has(id));
    if (!run) throw new Error('no run has begun');
    return async () => (await stage.runs()).find(({ id }) => id === run.id);
  }, WAIT);
}

async function sweptRun() {
  const run = await nextRun();
  return vi.waitFor(async () => {
    const now = await run();
    if (!now?.ended) throw new Error('the run has not ended');
    return now;
  }, WAIT);
}

it.each(names)(
  'does the rest of its work when %s fails, says so, and tries again the next time',
  async (name) => {
    await makeAll();
    const mend = await leftovers[name]?.breakIt();
    try {
      // A run of the real clock may come in between, of which a part is still under way then.
      await vi.waitFor(async () => {
        const run = await sweptRun();
        expect(await left()).toEqual(name === 'files' ? [] : [name]);
        expect([run.status, run.error]).toEqual(['failed', `Error: These parts failed: ${name}`]);
      }, WAIT);
    } finally {
      await mend?.();
    }
    await vi.waitFor(async () => {
      expect((await sweptRun()).status).toBe('completed');
      expect(await left()).toEqual([]);
    }, WAIT);
  },
);

it('does the rest of its work each time while one part takes longer', async () => {
  const holder = postgres(services.databaseUrl, { max: 1 });
  const reserved = await holder.reserve();
  const runs: Awaited<ReturnType<typeof nextRun>>[] = [];
  // An account takes its events with it.
  const waiting = ['activity', 'deletions'];
  try {
    await makeAll();
    await reserved`begin`;
    await reserved`lock table audit_events in access exclusive mode`;
    const others = async () => {
      for (const name of names) {
        if (!waiting.includes(name)) expect(await leftovers[name]?.isThere(), name).toBe(false);
      }
    };
    for (let round = 0; round < 2; round += 1) {
      runs.push(await nextRun());
      await vi.waitFor(others, WAIT);
      for (const name of names) if (!waiting.includes(name)) await leftovers[name]?.make(userId);
    }
  } finally {
    await reserved`rollback`;
    reserved.release();
    await holder.end();
  }
  for (const run of runs) await vi.waitFor(async () => expect((await run())?.status).toBe('completed'), WAIT);
});
