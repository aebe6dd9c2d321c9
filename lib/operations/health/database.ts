import { sql } from 'drizzle-orm';
import { type AppliedMigrations, isUsableBy, SELECT_APPLIED } from '@/db/applied-migrations';
import { db } from '@/db/client';
import { describeConnectionProblem } from '@/db/connection-problems';
import { describeEncodingProblem, SELECT_TEXT_SUPPORT, type TextSupport } from '@/db/encoding';
import { codeOf } from '@/db/errors';
import journal from '@/db/migrations/meta/_journal.json';
import { log } from '@/lib/foundation/log';

const UNMIGRATED =
  'The database is older than this release, because its migrations haven’t run. Run `npm run db:migrate`. ' +
  'On Vercel, the build does that only if the project exposes its system environment variables.';
const TOO_NEW =
  'A newer version of Daylight has removed things from the database that this version needs. Start that version.';

/** SQLSTATEs of a database without the table of migrations. */
const NEVER_MIGRATED = new Set(['42P01', '3F000']);

const NEWEST = Math.max(...journal.entries.map(({ when }) => when));

async function compareMigrations(): Promise<string[]> {
  try {
    const [applied] = await db().execute<AppliedMigrations>(sql.raw(SELECT_APPLIED));
    if (!applied || applied.newest < NEWEST) return [UNMIGRATED];
    return isUsableBy(NEWEST, applied) ? [] : [TOO_NEW];
  } catch (error) {
    if (NEVER_MIGRATED.has(codeOf(error) ?? '')) return [UNMIGRATED];
    throw error;
  }
}

async function findEncodingProblems(): Promise<string[]> {
  const [support] = await db().execute<TextSupport>(sql.raw(SELECT_TEXT_SUPPORT));
  const problem = support && describeEncodingProblem(support);
  return problem ? [problem] : [];
}

/**
 * Returns why this release can't run with the database's migrations, in sentences for the operator. A wrong encoding is
 * named too, because migrating refuses it.
 * @throws QueryError if the database doesn't answer
 */
export async function findMigrationProblems(): Promise<string[]> {
  const problems = await compareMigrations();
  return problems.length === 0 ? [] : [...(await findEncodingProblems()), ...problems];
}

/** Returns why the database can't be used, or what of it is wrong, in sentences for the operator. */
export async function findDatabaseProblems(): Promise<string[]> {
  try {
    return [...(await findEncodingProblems()), ...(await compareMigrations())];
  } catch (error) {
    return [describeConnectionProblem(codeOf(error))];
  }
}

/**
 * Logs why this release can't run with the database's migrations: all that serverless hosts check at each start. Never
 * rejects.
 */
export async function logMigrationProblems(): Promise<void> {
  const problems = await findMigrationProblems().catch(() => []);
  for (const problem of problems) log.error({ event: 'startup.problem', check: 'Database' }, problem);
}
