import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { openDatabase } from '@/db/connect';
import { insertSampleJournals } from '@/db/sample/journals';
import { env } from '@/lib/foundation/env';
import { projectRoot } from '@/local/up/data-dir';
import type { Benchmark } from './bench';
import { type ListedEntry, startListedBucket } from './listed-bucket';
import { measurement } from './measurements';

/** Accounts with 500 entries each, in the smaller installation, which has enough to compare several ranges at once, and in the larger one. */
const ACCOUNTS = { few: 50, many: 200 };
const ENTRIES_EACH = 500;
const WORDS_PER_ENTRY = 140;

/** For a tenth of a million entries, so that a million take ten minutes. */
const LIMIT_SECONDS = 60;
const LIMIT_MB = 400;

interface Compared {
  seconds: number;
  megabytes: number;
  problems: string[];
}

const connect = () => openDatabase(env().DATABASE_URL, { max: 1, onnotice: () => undefined });

/** Adds accounts with journals. */
async function seed(accounts: number): Promise<void> {
  const sql = connect();
  const users = Array.from({ length: accounts }, () => {
    const id = uuidv7();
    return { id, email: `${id}@bench.invalid`, passwordHash: '' };
  });
  const journal = { entries: ENTRIES_EACH, words: WORDS_PER_ENTRY, until: '2026-01-15', years: 5 };
  await insertSampleJournals(sql, { users, ...journal });
  // A session's own setting: VACUUM runs in no transaction, and nothing else uses this connection.
  await sql`set statement_timeout = 0`;
  await sql`vacuum analyze`;
  await sql.end();
}

/** Compares the database with a bucket that has all of its entries. @throws Error if anything seems to be wrong */
async function compare(): Promise<Compared> {
  const sql = connect();
  const entries = await sql<ListedEntry[]>`
    select 'entries/' || user_id || '/' || id || '/' as folder, bytes::float8 from entries order by user_id, id`;
  await sql.end();
  const bucket = await startListedBucket(entries);
  const script = ['--import', 'tsx', 'bench/comparison-process.ts'];
  const settings = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'silent', S3_ENDPOINT: bucket.url };
  const { stdout } = await promisify(execFile)(process.execPath, script, {
    cwd: projectRoot,
    env: settings as NodeJS.ProcessEnv,
  }).finally(() => bucket.close());
  const compared = JSON.parse(stdout) as Compared;
  if (compared.problems.length > 0) throw new Error(compared.problems.join('\n'));
  return compared;
}

/** What it costs to compare an installation's database with its storage and its search index. */
export const comparisonBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    await bench.app();
    await seed(ACCOUNTS.few);
    const few = await compare();
    await seed(ACCOUNTS.many - ACCOUNTS.few);
    const many = await compare();
    const entries = (accounts: number) => `${(accounts * ENTRIES_EACH).toLocaleString('en-US')} entries`;
    return [
      measurement(`compare ${entries(ACCOUNTS.many)}`, {
        unit: 's',
        ours: many.seconds,
        limit: LIMIT_SECONDS,
        bar: 1,
      }),
      measurement(`memory, ${entries(ACCOUNTS.many)}`, {
        unit: 'MB, peak',
        ours: many.megabytes,
        limit: LIMIT_MB,
        bar: 1,
      }),
      measurement(`memory, ${entries(ACCOUNTS.many)} : ${entries(ACCOUNTS.few)}`, {
        unit: 'MB, peak',
        ours: many.megabytes,
        limit: few.megabytes,
        bar: 1.3,
      }),
    ];
  },
};
