import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { entries, notes } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { hiddenMemories } from '@/db/schema/memories';
import { auditEvents, passkeys } from '@/db/schema/security';
import { transcripts } from '@/db/schema/transcripts';
import { recentActivity } from '@/lib/account/activity/service';
import { listPasskeys } from '@/lib/account/passkeys/service';
import { listSessions } from '@/lib/account/sessions/service';
import { journalMonth, journalRange } from '@/lib/journal/entries/gallery';
import { getEntry } from '@/lib/journal/entries/service';
import { listTrash } from '@/lib/journal/entries/trash';
import { listHidden, onThisDay } from '@/lib/journal/memories/service';
import { listNotes } from '@/lib/journal/notes/service';
import { listRevisions } from '@/lib/journal/transcripts/revisions';
import { listExports } from '@/lib/portability/exports/service';
import { listImports } from '@/lib/portability/imports/history/service';
import { useFreshDatabase } from './app-database';
import { newUser, registerPasskey } from './auth-fixtures';
import { makeSpokenDays } from './bulk-fixtures';
import { codeOf } from './error-code';
import { makeEntry, makeUser } from './factories';

let end: () => Promise<void>;
let userId: string;
let stranger: string;
beforeAll(async () => {
  end = await useFreshDatabase();
});
beforeEach(async () => {
  [{ id: userId }, { id: stranger }] = [await makeUser(), await makeUser()];
});
afterAll(() => end());

const NOW = Date.now();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ago = (milliseconds: number) => new Date(NOW - milliseconds);
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

/** Ids of rows to insert out of order, two of them of the same moment, and the same ids newest first. */
function orderedRows() {
  const [first = '', second = '', third = '', fourth = ''] = Array.from({ length: 4 }, () => uuidv7()).sort();
  const rows = [
    { id: second, at: ago(2 * MINUTE) },
    { id: first, at: ago(MINUTE) },
    { id: fourth, at: ago(3 * MINUTE) },
    { id: third, at: ago(2 * MINUTE) },
  ];
  return { rows, newestFirst: [first, third, second, fourth] };
}

it('lists security events from the newest, as many as are asked for', async () => {
  const { rows, newestFirst } = orderedRows();
  const event = { kind: 'login.accepted', network: '', device: '' };
  await db()
    .insert(auditEvents)
    .values([
      ...rows.map((row) => ({ ...event, ...row, userId })),
      { ...event, id: uuidv7(), at: ago(0), userId: stranger },
      { ...event, id: uuidv7(), at: ago(0), userId: null },
    ]);
  for (const limit of [1, 2, 3, 4, 100]) {
    expect(idsOf(await recentActivity(userId, limit))).toEqual(newestFirst.slice(0, limit));
  }
});

it('lists the current session, then the others by last use, and none that has ended', async () => {
  const session = (of: string, lastSeen: number, more: Partial<typeof sessions.$inferInsert> = {}) => ({
    ...{ id: uuidv7(), userId: of, createdAt: ago(31 * DAY), lastSeenAt: ago(lastSeen) },
    ...more,
  });
  const [older, newer, current] = [session(userId, 2), session(userId, 1), session(userId, 29.9 * DAY)];
  await db()
    .insert(sessions)
    .values([
      ...[older, current, newer],
      session(userId, 0, { revokedAt: new Date() }),
      // Its refresh token has expired.
      session(userId, 30 * DAY + MINUTE),
      session(userId, 0, { createdAt: ago(90 * DAY + MINUTE) }),
      session(stranger, 0),
    ]);
  const listed = await listSessions(userId, current.id);
  expect(listed.map(({ id, current: isCurrent }) => [id, isCurrent])).toEqual([
    [current.id, true],
    [newer.id, false],
    [older.id, false],
  ]);
});

const key = (of: string, at: number) => ({
  ...{ id: uuidv7(), userId: of, credentialId: uuidv7(), publicKey: '', counter: 0, transports: [] },
  ...{ name: 'A key', createdAt: ago(at) },
});

it('lists passkeys from the newest', async () => {
  const [one, two, three] = [key(userId, 2), key(userId, 1), key(userId, 3)];
  await db()
    .insert(passkeys)
    .values([one, two, three, key(stranger, 0)]);
  expect(idsOf(await listPasskeys(userId))).toEqual([two.id, one.id, three.id]);
});

it('adds a twentieth passkey to an account, and no other', async () => {
  const user = await newUser();
  await db()
    .insert(passkeys)
    .values(Array.from({ length: 19 }, () => key(user.id, DAY)));
  await registerPasskey(user);
  expect(await codeOf(registerPasskey(user))).toBe('conflict');
  expect(await listPasskeys(user.id)).toHaveLength(20);
});

it('lists exports from the newest, of every kind and status', async () => {
  const { rows, newestFirst } = orderedRows();
  const kinds = [
    { status: 'ready' as const },
    { status: 'failed' as const },
    { status: 'preparing' as const, entryIds: [uuidv7()] },
    { status: 'ready' as const, fromYear: 2025 },
  ];
  const archive = { fileName: 'a.zip', notify: false };
  await db()
    .insert(exports)
    .values([
      ...rows.map(({ id, at }, n) => ({ ...archive, ...kinds[n], id, userId, createdAt: at })),
      { ...archive, id: uuidv7(), userId: stranger },
    ]);
  expect(idsOf(await listExports(userId))).toEqual(newestFirst);
});

it('lists the trash from what was removed last, with unfinished uploads left out', async () => {
  const { rows, newestFirst } = orderedRows();
  for (const { id, at } of rows) await makeEntry(userId, { id, trashedAt: at });
  await makeEntry(userId, { trashedAt: ago(0), videoStatus: 'uploading' });
  await makeEntry(userId);
  await makeEntry(stranger, { trashedAt: ago(0) });
  const trash = await listTrash(userId);
  expect(idsOf(trash)).toEqual(newestFirst);
  expect(trash.map(({ trashedAt, purgedAt }) => Date.parse(purgedAt) - Date.parse(trashedAt))).toEqual(
    trash.map(() => 30 * DAY),
  );
});

it('lists notes and hidden memories from the newest, and revisions from the current one', async () => {
  const { id: entryId } = await makeEntry(userId);
  const { id: other } = await makeEntry(userId);
  const { rows, newestFirst } = orderedRows();
  await db()
    .insert(notes)
    .values([
      ...rows.map(({ id, at }) => ({ id, entryId, text: 'a', createdAt: at })),
      { id: uuidv7(), entryId: other, text: 'b' },
    ]);
  expect(idsOf(await listNotes(userId, entryId))).toEqual(newestFirst);
  expect(idsOf((await getEntry(userId, entryId)).notes)).toEqual(newestFirst);
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'];
  await db()
    .insert(hiddenMemories)
    .values([
      ...rows.map(({ id, at }, n) => ({ id, userId, date: days[n] ?? null, createdAt: at })),
      { id: uuidv7(), userId: stranger, date: '2026-01-01' },
    ]);
  expect(idsOf(await listHidden(userId))).toEqual(newestFirst);
  await db()
    .insert(transcripts)
    .values([2, 0, 10, 1].map((revision) => ({ entryId, revision, words: [], createdAt: ago(revision) })));
  const revisions = await listRevisions(userId, entryId);
  expect(revisions.map(({ revision }) => revision)).toEqual([10, 2, 1, 0]);
});

it('lists a hundred imports of the last 30 days, from the newest, and none without entries', async () => {
  const started = (of: string, at: number, more: object = {}) => ({
    ...{ id: uuidv7(), userId: of, kind: 'files' as const, name: 'Clips', createdAt: ago(at) },
    ...more,
  });
  // By pairs of the same moment.
  const recent = Array.from({ length: 101 }, (_, n) => started(userId, Math.floor(n / 2) * MINUTE));
  const [expired, empty] = [started(userId, 30 * DAY + MINUTE), started(userId, 0)];
  await db()
    .insert(imports)
    .values([...recent, expired, empty, started(stranger, 0, { undoneAt: new Date() })]);
  const add = async (importId: string, values: Parameters<typeof makeEntry>[1] = {}) => {
    const { id } = await makeEntry(userId, values);
    await db().insert(importedEntries).values({ entryId: id, importId, date: '2026-01-15', content: '' });
  };
  for (const { id } of [...recent, expired]) await add(id);
  await add(empty.id, { trashedAt: new Date() });
  await add(empty.id, { videoStatus: 'uploading' });
  const byPlace = (one: (typeof recent)[number], other: (typeof recent)[number]) =>
    other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
  const { imports: listed } = await listImports(userId);
  expect(idsOf(listed)).toEqual(idsOf([...recent].sort(byPlace).slice(0, 100)));
});

it('offers memories of six years, the newest, and looks at 24 entries of the day', async () => {
  const today = { year: 2026, month: 6, day: 15 };
  const day = (year: number) => ({ userId, date: `${year}-06-15` });
  for (let year = 2025; year >= 2019; year -= 1) await makeEntry(userId, day(year));
  const years = async () => (await onThisDay(userId, today)).map(({ entry }) => entry.date.year);
  expect(await years()).toEqual([2025, 2024, 2023, 2022, 2021, 2020]);
  for (let n = 0; n < 22; n += 1) await makeEntry(userId, day(2025));
  expect(await years()).toEqual([2025, 2024]);
});

it('selects 500 entries at a time, and shows 400 of a month', async () => {
  const ids = await makeSpokenDays(userId, 501, 1);
  const range = (from: number, to: number) =>
    journalRange(userId, { from: ids[from] ?? '', to: ids[to] ?? '' });
  expect(idsOf(await range(1, 500))).toEqual(ids.slice(1));
  expect(await codeOf(range(0, 500))).toBe('validation_failed');
  expect(idsOf(await journalMonth(userId, '2026-01'))).toEqual(ids.slice(0, 400));
});

it('has no place for an entry of another account, whatever list it’s asked for', async () => {
  const { id: entryId } = await makeEntry(stranger);
  const mine = await makeEntry(userId);
  expect(await codeOf(listNotes(userId, entryId))).toBe('not_found');
  expect(await codeOf(listRevisions(userId, entryId))).toBe('not_found');
  expect(await codeOf(journalRange(userId, { from: mine.id, to: entryId }))).toBe('not_found');
  await db()
    .update(entries)
    .set({ trashedAt: ago(0) })
    .where(eq(entries.id, mine.id));
  expect(await codeOf(listNotes(userId, mine.id))).toBe('not_found');
  expect(idsOf(await listTrash(userId))).toEqual([mine.id]);
});
