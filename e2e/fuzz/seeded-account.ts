import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { hashCheaply } from '@/e2e/accounts';
import { type Client, createClient } from '@/e2e/client';
import type { App } from '@/e2e/running-app';
import { putObject } from '@/e2e/storage';
import { checkAccountStatus, login } from '@/lib/account/registration/contract';
import { newToken } from '@/lib/account/sessions/tokens';
import { entryKey } from '@/lib/journal/entries/keys';

const PASSWORD = 'correct horse battery staple';

/** An account with one of everything, so that operations find what they are asked about. */
export interface SeededAccount {
  api: Client;
  email: string;
  password: string;
  /** Its id as links in emails have it. */
  userCode: string;
  /** The tokens of its links in emails. */
  tokens: string[];
  /** The ids of all it has. */
  ids(): string[];
  /** Puts everything back, after requests that have changed or removed something. */
  restore(): Promise<void>;
}

/** Tables with rows of an account, in the order in which they can be emptied. */
const OWNED_TABLES = [
  'mail_links',
  'hidden_memories',
  'passkeys',
  'identities',
  'two_factor',
  'recovery_codes',
  'tags',
  'deleted_tags',
  'exports',
  'entries',
  'imports',
];

const ROW_KINDS = [
  'ready',
  'silent',
  'uploading',
  'trashed',
  'tag',
  'otherTag',
  'deletedTag',
  'note',
  'hidden',
  'passkey',
  'identity',
  'disabledPasskey',
  'disabledIdentity',
  'export',
  'import',
  'failedExport',
] as const;
type Ids = Record<(typeof ROW_KINDS)[number], string>;

const newIds = () => Object.fromEntries(ROW_KINDS.map((kind) => [kind, uuidv7()])) as Ids;

async function insertRows(tx: postgres.TransactionSql, user_id: string, ids: Ids): Promise<void> {
  for (const table of OWNED_TABLES) await tx`delete from ${tx(table)} where user_id = ${user_id}`;
  const file = { file_name: 'day.mp4', content_type: 'video/mp4', bytes: 1000, duration_ms: 60_000 };
  const common = {
    user_id,
    title: 'A day',
    date: '2026-03-01',
    ...file,
    video_key: null,
    trashed_at: null,
    thumbnail_key: 'entries/none',
    small_version: null,
  };
  const entries = [
    {
      ...common,
      id: ids.ready,
      video_status: 'ready',
      transcript_status: 'completed',
      video_key: entryKey(user_id, ids.ready, 'video.mp4'),
      small_version: 'a1',
    },
    { ...common, id: ids.silent, video_status: 'ready', transcript_status: 'no_speech' },
    { ...common, id: ids.uploading, video_status: 'uploading', transcript_status: 'processing' },
    {
      ...common,
      id: ids.trashed,
      video_status: 'ready',
      transcript_status: 'no_speech',
      trashed_at: new Date(),
    },
  ];
  await tx`insert into entries ${tx(entries)}`;
  await tx`insert into transcripts ${tx([0, 1].map((revision) => ({ entry_id: ids.ready, revision, words: tx.json([['hello', 0, 1]]) })))}`;
  const storyboard = { everySeconds: 1, count: 1, columns: 1, width: 16, height: 9 };
  await tx`insert into previews ${tx({ entry_id: ids.ready, storyboard: tx.json(storyboard) })}`;
  await tx`insert into uploads ${tx({ entry_id: ids.uploading, user_id, client_id: randomUUID(), size: null })}`;
  const started = { kind: 'daylight', name: 'Daylight.zip' };
  await tx`insert into imports ${tx({ id: ids.import, user_id, ...started })}`;
  const imported = {
    import_id: ids.import,
    source_id: randomUUID(),
    sha256: 'a'.repeat(64),
    date: '2026-03-01',
    content: 'b'.repeat(64),
  };
  await tx`insert into imported_entries ${tx({ entry_id: ids.uploading, ...imported })}`;
  await tx`insert into tags ${tx([
    { id: ids.tag, user_id, name: 'One' },
    { id: ids.otherTag, user_id, name: 'Two' },
  ])}`;
  const deleted = { name: 'Three', color: '#FFFFFF', entry_ids: [ids.ready], hidden: false };
  await tx`insert into deleted_tags ${tx({ id: ids.deletedTag, user_id, ...deleted })}`;
  const archive = { user_id, file_name: 'Daylight.zip', notify: false, layout_id: randomUUID() };
  await tx`insert into exports ${tx([
    { ...archive, id: ids.export, status: 'ready' },
    { ...archive, id: ids.failedExport, status: 'failed' },
  ])}`;
  await tx`insert into notes ${tx({ id: ids.note, entry_id: ids.ready, text: 'A note' })}`;
  await tx`insert into hidden_memories ${tx({ id: ids.hidden, user_id, tag_id: ids.otherTag })}`;
  const passkey = { user_id, public_key: 'AAAA', counter: 0, transports: ['internal'], name: 'A key' };
  const identity = { user_id, email: 'ada@example.com' };
  for (const [kind, provider, disabled_at] of [
    ['', 'google', null],
    ['disabled', 'github', new Date()],
  ] as const) {
    const key = ids[kind ? 'disabledPasskey' : 'passkey'];
    const account = ids[kind ? 'disabledIdentity' : 'identity'];
    await tx`insert into passkeys ${tx({ ...passkey, id: key, credential_id: key, disabled_at })}`;
    await tx`insert into identities ${tx({ ...identity, id: account, provider, provider_account_id: account, disabled_at })}`;
  }
}

/** Opens an account in the database, signs in through the API and gives it one of everything. */
export async function seedFullAccount(app: App, sql: postgres.Sql, verified = true): Promise<SeededAccount> {
  const userId = uuidv7();
  const email = `${randomUUID()}@example.com`;
  const api = createClient(app.url);
  const owner = {
    email,
    password_hash: await hashCheaply(PASSWORD),
    first_name: 'Ada',
    last_name: 'Lovelace',
    verified_at: verified ? new Date() : null,
    plan: 'Standard',
  };
  await sql`insert into users ${sql({ id: userId, ...owner })}`;
  const ids = newIds();
  const userCode = Buffer.from(userId).toString('base64url');
  const links = (['verify', 'reset'] as const).map((purpose) => ({ purpose, ...newToken() }));
  const tokens = links.map(({ token }) => token);
  let sessions: string[] = [];
  const restore = async () => {
    await sql.begin(async (tx) => {
      await tx`update users set ${tx(owner)} where id = ${userId}`;
      await insertRows(tx, userId, ids);
      const expires_at = new Date(Date.now() + 3_600_000);
      await tx`insert into mail_links ${tx(links.map(({ purpose, hash }) => ({ hash, user_id: userId, purpose, expires_at })))}`;
    });
    for (const name of ['source', 'video.mp4', 'small.mp4'] as const) {
      await putObject(app, entryKey(userId, ids.ready, name), 'a video');
    }
    if (!(await api.sendOperation(checkAccountStatus)).ok) {
      api.cookies.clear();
      await api.call(login, { body: { email, password: PASSWORD } });
    }
    const live = await sql<{ id: string }[]>`
      select id from sessions where user_id = ${userId} and revoked_at is null`;
    sessions = live.map(({ id }) => id);
  };
  await restore();
  return {
    api,
    email,
    password: PASSWORD,
    userCode,
    tokens,
    ids: () => [...Object.values(ids), ...sessions],
    restore,
  };
}
