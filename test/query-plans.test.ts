import { Session } from 'node:inspector/promises';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@/lib/foundation/contract/errors';
import { dashboard, getYearActivity } from '@/lib/journal/entries/dashboard';
import { entryNeighbors, journalFilters, journalMonth, journalPage } from '@/lib/journal/entries/gallery';
import { getEntry, listEntries } from '@/lib/journal/entries/service';
import { listTrash } from '@/lib/journal/entries/trash';
import { getRandomEntry, listHidden, onThisDay } from '@/lib/journal/memories/service';
import { search, summarizeSearch } from '@/lib/journal/search/service';
import { getTimeline, getTimelineDays } from '@/lib/journal/timeline/service';
import { findVideos } from '@/lib/portability/imports/clips/service';
import { listImports } from '@/lib/portability/imports/history/service';
import { insertSampleJournals } from '@/local/demo/journals';
import { countBlocksRead, explainQueries, planNodes } from './query-plans';
import { startLocalServices } from './services';

const person = () => {
  const id = uuidv7();
  return { id, email: `${id}@example.com`, passwordHash: '' };
};
const short = person();
const long = person();
let services: Awaited<ReturnType<typeof startLocalServices>>;
let tagId: string;
let entryId: string | undefined;
const others = [person(), person(), person()];
const inspector = new Session();
inspector.connect();

/** A journal of 365 entries and one of ten times as many, both over ten years, among those of others. */
beforeAll(async () => {
  services = await startLocalServices();
  const sql = postgres(services.databaseUrl, { max: 1, onnotice: () => undefined });
  const all = { words: 60, until: '2026-01-15', years: 10 };
  await insertSampleJournals(sql, { ...all, users: [short], entries: 365 });
  await insertSampleJournals(sql, { ...all, users: [long], entries: 3650 });
  await insertSampleJournals(sql, { ...all, users: others, entries: 1500 });
  const [tag] = await sql`select id from tags where user_id = ${long.id} order by name limit 1`;
  tagId = tag?.id;
  await sql`insert into entry_files (entry_id, name, bytes, sha256, crc32) select id, 'source', 1, '', 0 from entries`;
  for (const { id } of [short, long, ...others]) {
    const isOther = others.some((other) => other.id === id);
    const count = isOther ? 1000 : 20;
    await sql`insert into hidden_memories (id, user_id, date)
      select gen_random_uuid(), ${id}, date '1990-01-01' + n from generate_series(1, ${count}) as n`;
    await sql`insert into imports (id, user_id, kind, name)
      select gen_random_uuid(), ${id}, 'files', 'Videos' from generate_series(1, ${count})`;
    await sql`insert into imported_entries (entry_id, import_id, date, content)
      select one.id, its.id, date, ''
      from (select id, date, row_number() over () as n from entries where user_id = ${id} limit ${isOther ? 1500 : 200}) one
      join (select id, row_number() over () as n from imports where user_id = ${id}) its on its.n = one.n % ${count} + 1`;
  }
  [entryId] = (await sql`select id from entries where user_id = ${long.id} limit 1`).map(({ id }) => id);
  await sql`insert into previews (entry_id) select id from entries`;
  await sql`insert into highlights (entry_id, words) select id, '[]' from entries`;
  await sql`vacuum analyze`;
  await sql.end();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true });
});
afterAll(async () => {
  inspector.disconnect();
  await services.end();
});

const today = { year: 2026, month: 1, day: 15 };
const looking = (userId: string, query: string, categories: string[] = []) =>
  search(userId, { query, categories, limit: 30 });

/** The last ranked matches, and the first of the others. */
async function lookingFurther(userId: string) {
  const wanted = { query: 'remember', categories: [], count: false };
  const { next } = await search(userId, { ...wanted, limit: 90 });
  await search(userId, { ...wanted, limit: 90, cursor: next ?? undefined });
}

/** Postgres's default. */
const JIT_ABOVE_COST = 100_000;

const sizes = Array.from({ length: 1000 }, (_, index) => ({ size: index + 1 }));

/** Somebody else's is not found, which is read as well. */
const missing = (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
};

const LISTS: [name: string, read: (userId: string) => Promise<unknown>][] = [
  ['the dashboard', (userId) => dashboard(userId)],
  ['the last year', (userId) => getYearActivity(userId, today)],
  ['On This Day', (userId) => onThisDay(userId, today)],
  ['the first page', (userId) => journalPage(userId, 1)],
  ['the last page', (userId) => journalPage(userId, 100_000)],
  ['a month', (userId) => journalPage(userId, 1, { month: '2025-11' })],
  ['a tag', (userId) => journalPage(userId, 1, { tag: [tagId] })],
  ['the timeline, and its months', (userId) => getTimeline(userId, { limit: 20 })],
  ['the timeline of a day, and its months', (userId) => getTimeline(userId, { limit: 20, at: '2020-05-05' })],
  ['the timeline with a tag', (userId) => getTimeline(userId, { limit: 20, tag: [tagId] })],
  ['the days of a year’s months', (userId) => getTimelineDays(userId, 2025, {})],
  ['the filters', (userId) => journalFilters(userId)],
  ['a calendar', (userId) => journalMonth(userId, '2025-11')],
  ['a surprise', (userId) => getRandomEntry(userId)],
  ['what is hidden', (userId) => listHidden(userId)],
  ['a stretch of GET /entries', (userId) => listEntries(userId, { limit: 50 })],
  ['the trash', (userId) => listTrash(userId)],
  ['the imports', (userId) => listImports(userId)],
  ['videos of 1,000 sizes', (userId) => findVideos(userId, { videos: sizes })],
  ['an entry', (userId) => getEntry(userId, entryId ?? '').catch(missing)],
  ['the entries around one', (userId) => entryNeighbors(userId, entryId ?? '')],
  ['a tag in a month', (userId) => journalPage(userId, 1, { tag: [tagId], month: '2025-11' })],
  ['a mistyped word', (userId) => looking(userId, 'thorncliif')],
  ['a common word', (userId) => looking(userId, 'remember')],
  ['a rare word', (userId) => looking(userId, 'thorncliff')],
  ['a beginning', (userId) => looking(userId, 'th')],
  ['three words', (userId) => looking(userId, 'happy garden anna')],
  ['a phrase', (userId) => looking(userId, '"good place to live"')],
  ['a word with a tag', (userId) => looking(userId, 'garden', [tagId])],
  ['a tag alone', (userId) => looking(userId, '', [tagId])],
  ['matches that aren’t ranked', (userId) => lookingFurther(userId)],
  ['the summary of a search', (userId) => summarizeSearch(userId, { query: 'remember', categories: [] })],
];

describe('every list', () => {
  it.each(LISTS)('reads %s by index', async (_, read) => {
    const plans = await explainQueries(() => read(long.id));
    expect(plans).not.toEqual([]);
    const scanned = plans
      .flatMap(planNodes)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name']);
    // A handful of tags is read quicker than an index on them, and so are words most of which are this person's.
    expect(scanned.filter((name) => name !== 'tags' && name !== 'search_words')).toEqual([]);
  });

  it.each(LISTS)('looks cheap enough for %s not to be compiled first', async (_, read) => {
    const plans = await explainQueries(() => read(long.id));
    // Postgres compiles what it expects to cost more than `jit_above_cost`, which takes it 20 ms each time.
    expect(plans.filter((plan) => plan['Total Cost'] >= JIT_ABOVE_COST)).toEqual([]);
  });

  it.each(LISTS)('reads no more of a journal ten times as long for %s', async (name, read) => {
    const [few, many] = [
      await explainQueries(() => read(short.id)),
      await explainQueries(() => read(long.id)),
    ];
    // A month has ten times as many entries then.
    const grows = /month|tag|calendar/.test(name);
    expect(countBlocksRead(many)).toBeLessThan(countBlocksRead(few) * (grows ? 12 : 4) + 100);
  });
});

it('reads all that journals and search ask for', async () => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const queries = result.filter(({ url }) =>
    /lib\/journal\/(entries|search|memories)\/([a-z-]*queries|months|trash|dashboard|(?<=memories\/)service)\.ts/.test(
      url,
    ),
  );
  expect(queries).toHaveLength(8);
  const unread = queries
    .flatMap(({ functions }) => functions)
    .filter(
      ({ functionName, ranges }) => /^(select|count|list)/.test(functionName) && ranges[0]?.count === 0,
    );
  // A query that is missing here belongs into one of the lists above.
  expect(unread.map(({ functionName }) => functionName)).toEqual([]);
});
