import { v7 as uuidv7 } from 'uuid';
import { openDatabase } from '@/db/connect';
import { env } from '@/lib/foundation/env';
import { insertSampleJournals } from '@/local/demo/journals';
import type { BenchContext, Benchmark } from './bench';
import { interleave, type Measurement, measurement } from './measurements';
import { cpuSecondsOf } from './processes';
import { fetchText, runConcurrently } from './requests';
import { sessionCookie } from './seed';

/** Entries of the journals that are compared, an entry a day in the short one, and ten in the long one. */
const SIZES = { short: 36, long: 36_500 };
const YEARS = { short: 0.1, long: 10 };
const ROUNDS = 5;
const REQUESTS = 60;
/** A page that's half as long again means that something is sent that a screen doesn't show. */
const BYTES_BAR = 1.5;
/** A year has 366 days at most, and the short journal has entries on a tenth of them. */
const YEAR_LIMIT = { kilobytes: 20, bar: 1 };
/** The months of the long journal have ten times as many entries to add up. */
const CPU_BAR = 1.5;

const PARTS = {
  'timeline, page': '/journals?view=timeline',
  'timeline, GET /timeline': '/api/v1/timeline',
  'timeline, GET /timeline/days': '/api/v1/timeline/days?year=2025',
};

/** A journal of each size. @returns their owners */
async function seed(): Promise<Record<keyof typeof SIZES, string>> {
  const row = () => {
    const id = uuidv7();
    return { id, email: `${id}@bench.invalid`, passwordHash: '' };
  };
  const sql = openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });
  const [short, long] = [row(), row()];
  const all = { until: '2025-12-31', words: 140 };
  await insertSampleJournals(
    sql,
    { ...all, users: [short], entries: SIZES.short, years: YEARS.short },
    { ...all, users: [long], entries: SIZES.long, years: YEARS.long },
  );
  await sql`set statement_timeout = 0`;
  await sql`vacuum analyze`;
  await sql.end();
  return { short: short.id, long: long.id };
}

async function measurePart(
  bench: BenchContext,
  owners: Record<keyof typeof SIZES, string>,
  [name, path]: [string, string],
): Promise<Measurement[]> {
  const app = await bench.app();
  const asking = async (userId: string) => ({
    url: `${app.url}${path}`,
    cookie: await sessionCookie(userId, true),
  });
  const [short, long] = [await asking(owners.short), await asking(owners.long)];
  const cpu = (target: typeof short) => async () => {
    const before = cpuSecondsOf(app.pid);
    await runConcurrently(REQUESTS, (connections) => fetchText(target, connections));
    return ((cpuSecondsOf(app.pid) - before) / REQUESTS) * 1000;
  };
  // Each sentence is picked once, and then it's read.
  const [shortText, longText] = [await fetchText(short), await fetchText(long)];
  await interleave(1, { few: cpu(short), many: cpu(long) });
  const { few, many } = await interleave(ROUNDS, { few: cpu(short), many: cpu(long) });
  const kilobytes = (text: string) => Buffer.byteLength(text) / 1000;
  return [
    measurement(`${name} : 36 entries`, {
      unit: 'kB',
      ours: kilobytes(longText),
      ...(path.includes('/days')
        ? { limit: YEAR_LIMIT.kilobytes, bar: YEAR_LIMIT.bar }
        : { limit: kilobytes(shortText), bar: BYTES_BAR }),
    }),
    measurement(`${name} : 36 entries`, { unit: 'CPU ms', ours: many, limit: few, bar: CPU_BAR }),
  ];
}

/** What the timeline costs in a journal of 36,500 entries, over one of 36. */
export const timelineBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    await bench.app();
    const owners = await seed();
    const figures: Measurement[] = [];
    for (const part of Object.entries(PARTS)) figures.push(...(await measurePart(bench, owners, part)));
    return figures;
  },
};
