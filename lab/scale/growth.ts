import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { openDatabase } from '@/db/connect';
import { previews } from '@/db/schema/previews';
import { listObjects } from '@/lib/clients/storage-listing';
import { env } from '@/lib/foundation/env';
import { entryPrefix } from '@/lib/journal/entries/keys';
import { insertSampleJournals } from '@/local/demo/journals';
import { waitUntil } from '@/local/up/processes';
import type { BenchContext } from '../bench/bench';
import { COPIED_SECONDS, ENCODED_SECONDS, h264Minute, vp9Clip } from '../bench/clips';
import { fileContent } from '../bench/s3-upload';
import { ENTRY_TABLES, seedAccount, seedEntry, spokenWords } from '../bench/seed';
import { type Figures, type MinuteFigure, WORDS } from './figures';
import { uploadAndProcess } from './processing';

/** An entry a day for ten years. */
const ENTRIES = 3650;
/** Entries that are added one by one, for the write-ahead log. */
const ADDED = 200;

async function tableSizes(): Promise<Map<string, number>> {
  const rows = await db().$client<{ name: string; bytes: number }[]>`
    select name, pg_total_relation_size(name::regclass)::float8 as bytes from unnest(string_to_array(${ENTRY_TABLES.join()}, ',')) as name`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Fills a journal of ten years. @returns its owner, and the bytes of each table and its indexes for an entry */
export async function measureTables(): Promise<{ userId: string; tables: Figures['tables'] }> {
  const userId = uuidv7();
  const before = await tableSizes();
  const sql = openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });
  const user = { id: userId, email: `${userId}@bench.invalid`, passwordHash: '' };
  const journal = { users: [user], entries: ENTRIES, words: WORDS, until: '2026-01-15', years: 10 };
  await insertSampleJournals(sql, journal);
  await sql`vacuum analyze`;
  await sql.end();
  const after = await tableSizes();
  const tables = ENTRY_TABLES.map((name) => ({
    name,
    bytesPerEntry: ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / ENTRIES,
  }));
  return { userId, tables };
}

/** Bytes that Postgres writes to its log, and so to replicas and backups, for a new entry with its transcript. */
export async function measureLog(): Promise<number> {
  const { userId } = await seedAccount();
  const position = async () => {
    const [row] = await db().$client`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`;
    return Number(row?.bytes);
  };
  const words = spokenWords(WORDS, 300);
  const before = await position();
  for (let day = 0; day < ADDED; day += 1) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    await seedEntry(userId, { title: `The day of ${date}`, date, seconds: 300, words });
  }
  return ((await position()) - before) / ADDED;
}

async function hasPreviews(entryId: string): Promise<boolean> {
  const [row] = await db().select().from(previews).where(eq(previews.entryId, entryId));
  return Boolean(row?.storyboard && row.waveform);
}

/** Uploads a clip of so many seconds, and adds up what it has in storage once all jobs are done. */
async function measureMinute(bench: BenchContext, file: string, seconds: number): Promise<MinuteFigure> {
  const { userId, cookie } = await bench.uploader();
  const entryId = await uploadAndProcess(bench, await cookie(), await fileContent(file));
  if (!(await waitUntil(() => hasPreviews(entryId), 60_000))) throw new Error('There are no previews.');
  const sizes = new Map<string, number>();
  const prefix = entryPrefix(userId, entryId);
  for await (const page of listObjects(prefix))
    for (const { key, size } of page) {
      const name = key.slice(prefix.length);
      // The first copy that plays is there for two hours, and the sound until it's transcribed.
      if (!/^(remux\.|speech-)/.test(name)) sizes.set(name, size);
    }
  const perMinute = (bytes: number) => (bytes / 1e6 / seconds) * 60;
  return {
    uploaded: perMinute(sizes.get('source') ?? 0),
    played: perMinute(sizes.get('video.mp4') ?? 0),
    stored: perMinute([...sizes.values()].reduce((total, size) => total + size, 0)),
  };
}

/** Megabytes of a minute that's copied, and of one that's encoded again. */
export async function measureMinutes(bench: BenchContext): Promise<Figures['minutes']> {
  return {
    copied: await measureMinute(bench, await h264Minute(bench.folder), COPIED_SECONDS),
    encoded: await measureMinute(bench, await vp9Clip(bench.folder), ENCODED_SECONDS),
  };
}
