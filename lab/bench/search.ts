import { Agent } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { openDatabase } from '@/db/connect';
import { env } from '@/lib/foundation/env';
import { dashboard, getYearActivity } from '@/lib/journal/entries/dashboard';
import { journalFilters, journalPage } from '@/lib/journal/entries/gallery';
import { onThisDay } from '@/lib/journal/memories/service';
import { search } from '@/lib/journal/search/service';
import { insertSampleJournals } from '@/local/demo/journals';
import { captureStatements, replayStatements } from '@/test/statements';
import type { BenchContext, Benchmark } from './bench';
import { interleave, type Measurement, measurement, median, quantile } from './measurements';
import { fetchText, type RequestTarget } from './requests';
import { sessionCookie } from './seed';
import { measureTyping, SEARCH_LIMIT, searchPath, timeRepeats } from './typing';

/** Entries of the journals that are compared, each over ten years with real transcripts. */
const SIZES = { short: 365, year10: 3650, long: 36_500 };
const WORDS_PER_ENTRY = 1370;
/** So many others keep a journal of 3,650 entries; a tenth of the words makes an index of the real number of months. */
const OTHERS = 100;
const OTHERS_WORDS = 140;

const ROUNDS = 5;

/** Server time of a page over an empty one, in milliseconds. */
const PAGE_LIMIT = 30;
const BEYOND_LAST_PAGE = 999_999;
const TODAY = { year: 2026, month: 1, day: 15 };

const userRow = () => {
  const id = uuidv7();
  return { id, email: `${id}@bench.invalid`, passwordHash: '' };
};

/** A journal of each size amid 365,000 entries of others. @returns their owners */
async function seed(): Promise<Record<keyof typeof SIZES, string>> {
  const sql = openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });
  const [short, year10, long] = [userRow(), userRow(), userRow()];
  const all = { until: '2026-01-15', years: 10, words: WORDS_PER_ENTRY };
  await insertSampleJournals(
    sql,
    { ...all, users: [short], entries: SIZES.short },
    { ...all, users: [year10], entries: SIZES.year10 },
    { ...all, users: [long], entries: SIZES.long },
    { ...all, users: Array.from({ length: OTHERS }, userRow), entries: 3650, words: OTHERS_WORDS },
  );
  // A session's own setting: VACUUM runs in no transaction, and nothing else uses this connection.
  await sql`set statement_timeout = 0`;
  await sql`vacuum analyze`;
  await sql.end();
  return { short: short.id, year10: year10.id, long: long.id };
}

interface ReadCase {
  name: string;
  /** What the page or the route asks for. */
  read: (userId: string) => Promise<unknown>;
  path: (userId: string) => Promise<string>;
  page: boolean;
  /** A short journal gives as much, so that it should take as long. */
  comparable?: boolean;
}

async function firstTag(userId: string): Promise<string> {
  const [tag] = await db().$client`select id from tags where user_id = ${userId} order by name limit 1`;
  return tag?.id;
}

const searchRead = (
  name: string,
  query: string,
  more: { tagged?: boolean; comparable?: boolean } = {},
): ReadCase => {
  const { tagged = false, comparable = true } = more;
  const categories = async (userId: string) => (tagged ? [await firstTag(userId)] : []);
  return {
    name: `search, ${name}`,
    read: async (userId) =>
      search(userId, { query, categories: await categories(userId), limit: 30, count: false }),
    path: async (userId) => searchPath(query, (await categories(userId)).join()),
    page: false,
    comparable,
  };
};

const READS: ReadCase[] = [
  searchRead('a common word', 'garden'),
  searchRead('a rare word', 'thorncliff', { comparable: false }),
  searchRead('a beginning', 'th'),
  searchRead('three words', 'happy piano river'),
  searchRead('a phrase', '"good place to live"'),
  searchRead('a word and a tag', 'garden', { tagged: true }),
  {
    name: 'dashboard',
    read: (userId) =>
      Promise.all([dashboard(userId), getYearActivity(userId, TODAY), onThisDay(userId, TODAY)]),
    path: async () => '/',
    page: true,
    comparable: true,
  },
  ...[1, BEYOND_LAST_PAGE].map(
    (page): ReadCase => ({
      name: page === 1 ? 'gallery, first page' : 'gallery, last page',
      read: (userId) => Promise.all([journalFilters(userId), journalPage(userId, page)]),
      path: async () => `/journals?page=${page}`,
      page: true,
      comparable: true,
    }),
  ),
];

const p95 = (work: () => Promise<unknown>) => async () => quantile(await timeRepeats(work), 0.95);
const p50 = (work: () => Promise<unknown>) => async () => median(await timeRepeats(work));

/** Time of the whole answer, at both sizes, beside an empty page's. */
async function measureResponses(
  bench: BenchContext,
  owners: Record<keyof typeof SIZES, string>,
  read: ReadCase,
): Promise<Measurement[]> {
  const [app, bare] = [await bench.app(), await bench.bareApp()];
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const asking = async (userId: string) => {
    const target: RequestTarget = {
      url: `${app.url}${await read.path(userId)}`,
      cookie: await sessionCookie(userId, true),
    };
    return p95(() => fetchText(target, connection));
  };
  const measurements = {
    year10: await asking(owners.year10),
    long: await asking(owners.long),
    empty: p95(() => fetchText({ url: `${bare.url}${read.page ? '/' : '/api'}` }, connection)),
  };
  // Once for nothing: a server that has just started runs slowly until its code is compiled.
  await interleave(1, measurements);
  const measured = await interleave(ROUNDS, measurements);
  connection.destroy();
  const limit = read.page ? PAGE_LIMIT : SEARCH_LIMIT;
  return (['year10', 'long'] as const).map((size) =>
    measurement(`${read.name}, ${SIZES[size]} entries, over an empty ${read.page ? 'page' : 'route'}`, {
      unit: 'ms p95',
      ours: Math.max(0, measured[size] - measured.empty),
      limit,
      bar: 1,
    }),
  );
}

/** Time within the app, beside the bare SQL and beside a journal a hundredth as long. */
async function compareWithReplay(
  owners: Record<keyof typeof SIZES, string>,
  read: ReadCase,
): Promise<Measurement[]> {
  // The first look at a day picks its sentences in a transaction, which can't be replayed.
  await read.read(owners.long);
  const statements = await captureStatements(() => read.read(owners.long));
  const { ours, sql, less } = await interleave(ROUNDS, {
    ours: p50(() => read.read(owners.long)),
    sql: p50(() => replayStatements(statements)),
    less: p50(() => read.read(owners.short)),
  });
  const unit = 'ms p50';
  const figures: Measurement[] = [];
  if (!read.page)
    figures.push(measurement(`${read.name} : its SQL alone`, { unit, ours, limit: sql, bar: 1.5 }));
  if (read.comparable) {
    figures.push(
      measurement(`${read.name}, ${SIZES.long} : ${SIZES.short} entries`, {
        unit,
        ours,
        limit: less,
        bar: 1.5,
      }),
    );
  }
  return figures;
}

/** Time of searches and lists in long journals, beside an empty route, their SQL alone, and a short journal. */
export const searchBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const owners = await seed();
    const figures: Measurement[] = [];
    for (const read of READS) {
      figures.push(
        ...(await measureResponses(bench, owners, read)),
        ...(await compareWithReplay(owners, read)),
      );
    }
    figures.push(...(await measureTyping(bench, owners.long, SIZES.long)));
    return figures;
  },
};
