import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { openDatabase } from '@/db/connect';
import { insertSampleJournals } from '@/db/sample/journals';
import { entries, tags } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { env } from '@/lib/foundation/env';
import { purgeOldTrash, removeEntry } from '@/lib/journal/entries/trash';
import { updateTags } from '@/lib/journal/tags/service';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median } from './measurements';
import { ENTRY_TABLES, seedEntry } from './seed';

/** Entries of the journals that are compared. What a write changes is the same in each. */
const SIZES = [20, 365, 36_500];
/** Words of their entries: few, as all are in one database that is filled for this part alone. */
const WORDS_PER_ENTRY = 60;
const WORDS = 10_000;
/** Entries that a tag is on, and entries that are purged. */
const BULK_ENTRIES = 1000;
const ROUNDS = 7;
/** Names that a tag is given in one measurement, as one alone takes a few milliseconds. */
const NAMES = 20;

const LIMIT_MS = 1000;
const GROWTH = 1.5;

interface Journal {
  size: number;
  userId: string;
  /** A tag on {@link BULK_ENTRIES} entries. */
  tagId: string;
}

const connect = () => openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });

/** Adds {@link BULK_ENTRIES} entries to a journal. @param trashedAt since when they're in the trash, where they have a transcript */
async function addEntries(userId: string, trashedAt?: Date): Promise<void> {
  await db().execute(sql`
    with made as (
      insert into entries (id, user_id, title, date, file_name, content_type, bytes, duration_ms, video_status,
        transcript_status, language, trashed_at)
      select gen_random_uuid(), ${userId}, 'Another day', date '2020-01-01' + n, 'day.mp4', 'video/mp4', 1000, 60000, 'ready',
        'completed', 'en', ${trashedAt?.toISOString() ?? null}::timestamptz
      from generate_series(1, ${BULK_ENTRIES}) as n
      returning id, trashed_at
    )
    insert into transcripts (entry_id, revision, words)
    select id, 0, (select jsonb_agg(jsonb_build_array('word' || n, n, n)) from generate_series(1, ${WORDS_PER_ENTRY}) as n)
    from made where trashed_at is not null`);
}

/** Fills the database without a look at its statistics, which autovacuum doesn't gather either. */
async function seedJournals(): Promise<Journal[]> {
  const client = connect();
  for (const table of ENTRY_TABLES) {
    await client`alter table ${client(table)} set (autovacuum_enabled = false)`;
  }
  const journals: Journal[] = [];
  for (const size of SIZES) {
    const userId = uuidv7();
    const owner = { id: userId, email: `${userId}@bench.invalid`, passwordHash: '' };
    await insertSampleJournals(client, {
      users: [owner],
      entries: size,
      words: WORDS_PER_ENTRY,
      until: '2026-01-15',
      years: 10,
    });
    const tagId = uuidv7();
    await db().insert(tags).values({ id: tagId, userId, name: 'Bench' });
    await addEntries(userId);
    await db().execute(sql`
      insert into entry_tags (entry_id, tag_id)
      select id, ${tagId} from entries where user_id = ${userId} and title = 'Another day'`);
    journals.push({ size, userId, tagId });
  }
  await client.end();
  return journals;
}

/** Gathers the statistics that were missing. */
async function analyze(): Promise<void> {
  const client = connect();
  // A session's own setting: VACUUM runs in no transaction, and nothing else uses this connection.
  await client`set statement_timeout = 0`;
  await client`vacuum analyze`;
  await client.end();
}

const distinctWords = (prefix: string) =>
  Array.from({ length: WORDS }, (_, n) => ({
    word: `${prefix}${n}`,
    startTime: n / 10,
    endTime: (n + 1) / 10,
  }));

/** Milliseconds of each write, once, in an entry of its own. */
async function measureWrites({ userId, tagId }: Journal): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const time = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    times.set(name, performance.now() - began);
    // The jobs that follow would run beside the next measurement.
    await db().delete(outbox);
  };
  const title = 'The long day';
  const entryId = await seedEntry(userId, { title, date: '2026-01-10', seconds: WORDS / 10, words: [] });
  await time('save 10,000 words', () => saveTranscription(userId, entryId, distinctWords('said')));
  await time('replace them all', () => saveTranscription(userId, entryId, distinctWords('meant')));
  await time('delete', () => removeEntry(userId, entryId));
  // Not through the service, as no plan has room for 36,500 entries.
  await time('restore', () => db().update(entries).set({ trashedAt: null }).where(eq(entries.id, entryId)));
  await time(`rename a tag on 1,000 entries ${NAMES} times`, async () => {
    for (let n = 0; n < NAMES; n += 1) {
      await updateTags(userId, [{ id: tagId, name: uuidv7(), color: '#2F6F4F' }]);
    }
  });
  await addEntries(userId, new Date('2026-01-15'));
  await time('purge 1,000 entries', () => purgeOldTrash());
  await db().delete(entries).where(eq(entries.id, entryId));
  return times;
}

async function measureAll(journals: Journal[], statistics: string): Promise<Measurement[]> {
  // Once for nothing: code and caches are cold.
  for (const journal of journals) await measureWrites(journal);
  const measured = journals.map((journal) => ({ journal, rounds: [] as Map<string, number>[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { journal, rounds } of measured) rounds.push(await measureWrites(journal));
  }
  return [...(measured[0]?.rounds[0]?.keys() ?? [])].flatMap((name) => {
    const times = measured.map(({ rounds }) => rounds.map((round) => round.get(name) ?? Number.NaN));
    // Other work on the machine only ever adds time, so the fastest rounds compare best.
    const fastest = times.map((all) => Math.min(...all));
    return [
      ...times.map((all, nth) =>
        measurement(`${name}, ${SIZES[nth]} entries, ${statistics}`, {
          unit: 'ms p50',
          ours: median(all),
          limit: LIMIT_MS,
          bar: 1,
        }),
      ),
      measurement(`${name}, ${SIZES.at(-1)} : ${SIZES[0]} entries, ${statistics}`, {
        unit: 'ms, fastest',
        ours: fastest.at(-1) ?? Number.NaN,
        limit: fastest[0] ?? Number.NaN,
        bar: GROWTH,
      }),
    ];
  });
}

/** Time of every write, in journals of three sizes, with and without statistics for the planner. */
export const writesBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const journals = await seedJournals();
    const missing = await measureAll(journals, 'no statistics');
    await analyze();
    return [...missing, ...(await measureAll(journals, 'fresh statistics'))];
  },
};
