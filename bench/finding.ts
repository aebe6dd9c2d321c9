import { Agent } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { openDatabase } from '@/db/connect';
import { fillJournals } from '@/db/sample/journals';
import { dashboard, lastYear } from '@/lib/entries/dashboard';
import { journalFilters, journalPage } from '@/lib/entries/gallery';
import { env } from '@/lib/env';
import { onThisDay } from '@/lib/memories/service';
import { search } from '@/lib/search/service';
import type { Bench, Part } from './bench';
import { type Figure, figure, inTurn, median, quantile } from './figures';
import { ask, type Target } from './requests';
import { sessionCookie } from './seed';
import { replay, statementsOf } from './statements';

/** Entries of the journals that are compared, each over ten years with real transcripts. */
const SIZES = { short: 365, year10: 3650, long: 36_500 };
const SPOKEN = 1370;
/** So many others keep a journal of 3,650 entries; a tenth of the words makes an index of the real number of months. */
const OTHERS = 100;
const OTHERS_SPOKEN = 140;

const ROUNDS = 5;
const REPEATS = 40;

/** Server time, in milliseconds: of a search, and of a page over an empty one. */
const SEARCH_LIMIT = 50;
const PAGE_LIMIT = 30;
const LAST_PAGE = 999_999;
const TODAY = { year: 2026, month: 1, day: 15 };

const person = () => {
  const id = uuidv7();
  return { id, email: `${id}@bench.invalid`, passwordHash: '' };
};

/** A journal of each size amid 365,000 entries of others. @returns their owners */
async function seed(): Promise<Record<keyof typeof SIZES, string>> {
  const sql = openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });
  const [short, year10, long] = [person(), person(), person()];
  const all = { until: '2026-01-15', years: 10, words: SPOKEN };
  await fillJournals(
    sql,
    { ...all, users: [short], entries: SIZES.short },
    { ...all, users: [year10], entries: SIZES.year10 },
    { ...all, users: [long], entries: SIZES.long },
    { ...all, users: Array.from({ length: OTHERS }, person), entries: 3650, words: OTHERS_SPOKEN },
  );
  // A session's own setting: VACUUM runs in no transaction, and nothing else uses this connection.
  await sql`set statement_timeout = 0`;
  await sql`vacuum analyze`;
  await sql.end();
  return { short: short.id, year10: year10.id, long: long.id };
}

/** The milliseconds that each repetition takes. */
async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

interface Read {
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

const looking = (
  name: string,
  query: string,
  more: { tagged?: boolean; comparable?: boolean } = {},
): Read => {
  const { tagged = false, comparable = true } = more;
  const categories = async (userId: string) => (tagged ? [await firstTag(userId)] : []);
  return {
    name: `search, ${name}`,
    read: async (userId) => search(userId, { query, categories: await categories(userId), limit: 30 }),
    path: async (userId) =>
      `/api/v1/search?${new URLSearchParams({ query, categories: (await categories(userId)).join() })}`,
    page: false,
    comparable,
  };
};

const READS: Read[] = [
  looking('a common word', 'garden'),
  looking('a rare word', 'thorncliff', { comparable: false }),
  looking('a beginning', 'th'),
  looking('three words', 'happy piano river'),
  looking('a phrase', '"good place to live"'),
  looking('a word and a tag', 'garden', { tagged: true }),
  {
    name: 'dashboard',
    read: (userId) => Promise.all([dashboard(userId), lastYear(userId, TODAY), onThisDay(userId, TODAY)]),
    path: async () => '/',
    page: true,
    comparable: true,
  },
  ...[1, LAST_PAGE].map(
    (page): Read => ({
      name: page === 1 ? 'gallery, first page' : 'gallery, last page',
      read: (userId) => Promise.all([journalFilters(userId), journalPage(userId, page)]),
      path: async () => `/journals?page=${page}`,
      page: true,
      comparable: true,
    }),
  ),
];

const p95 = (work: () => Promise<unknown>) => async () => quantile(await timed(work), 0.95);
const p50 = (work: () => Promise<unknown>) => async () => median(await timed(work));

/** Time of the whole answer, at both sizes, beside an empty page's. */
async function answers(
  bench: Bench,
  owners: Record<keyof typeof SIZES, string>,
  read: Read,
): Promise<Figure[]> {
  const [app, bare] = [await bench.app(), await bench.bareApp()];
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const asking = async (userId: string) => {
    const target: Target = {
      url: `${app.url}${await read.path(userId)}`,
      cookie: await sessionCookie(userId, true),
    };
    return p95(() => ask(target, connection));
  };
  const measurements = {
    year10: await asking(owners.year10),
    long: await asking(owners.long),
    empty: p95(() => ask({ url: `${bare.url}${read.page ? '/' : '/api'}` }, connection)),
  };
  // Once for nothing: a server that has just started runs slowly until its code is compiled.
  await inTurn(1, measurements);
  const measured = await inTurn(ROUNDS, measurements);
  connection.destroy();
  const limit = read.page ? PAGE_LIMIT : SEARCH_LIMIT;
  return (['year10', 'long'] as const).map((size) =>
    figure(`${read.name}, ${SIZES[size]} entries, over an empty ${read.page ? 'page' : 'route'}`, {
      ...{ unit: 'ms p95', ours: Math.max(0, measured[size] - measured.empty), limit, bar: 1 },
    }),
  );
}

/** Time within the app, beside the bare SQL and beside a journal a hundredth as long. */
async function within(owners: Record<keyof typeof SIZES, string>, read: Read): Promise<Figure[]> {
  const statements = await statementsOf(() => read.read(owners.long));
  const { ours, sql, less } = await inTurn(ROUNDS, {
    ours: p50(() => read.read(owners.long)),
    sql: p50(() => replay(statements)),
    less: p50(() => read.read(owners.short)),
  });
  const unit = 'ms p50';
  const figures: Figure[] = [];
  if (!read.page) figures.push(figure(`${read.name} : its SQL alone`, { unit, ours, limit: sql, bar: 1.5 }));
  if (read.comparable) {
    figures.push(
      figure(`${read.name}, ${SIZES.long} : ${SIZES.short} entries`, { unit, ours, limit: less, bar: 1.5 }),
    );
  }
  return figures;
}

/** Time of searches and lists in long journals, beside an empty route, their SQL alone, and a short journal. */
export const finding: Part = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    const owners = await seed();
    const figures: Figure[] = [];
    for (const read of READS) {
      figures.push(...(await answers(bench, owners, read)), ...(await within(owners, read)));
    }
    return figures;
  },
};
