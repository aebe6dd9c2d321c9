import { sql } from 'drizzle-orm';
import { type AppliedMigrations, isUsableBy, SELECT_APPLIED } from '@/db/applied-migrations';
import { db } from '@/db/client';
import { describeConnectionProblem } from '@/db/connection-problems';
import { codeOf } from '@/db/errors';
import journal from '@/db/migrations/meta/_journal.json';
import { log } from '@/lib/log';

const UNMIGRATED =
  'The database is older than this release, because its migrations haven’t run. Run `npm run db:migrate`. ' +
  'On Vercel, the build does that only if the project exposes its system environment variables.';
const TOO_NEW =
  'A newer version of Daylight has removed things from the database that this version needs. Start that version.';

/** SQLSTATEs of a database without the table of migrations. */
const NEVER_MIGRATED = new Set(['42P01', '3F000']);

const NEWEST = Math.max(...journal.entries.map(({ when }) => when));

/**
 * Returns why this release can't run with the database's migrations, in sentences for the operator.
 * @throws QueryError if the database doesn't answer
 */
export async function findMigrationProblems(): Promise<string[]> {
  try {
    const [applied] = await db().execute<AppliedMigrations>(sql.raw(SELECT_APPLIED));
    if (!applied || applied.newest < NEWEST) return [UNMIGRATED];
    return isUsableBy(NEWEST, applied) ? [] : [TOO_NEW];
  } catch (error) {
    if (NEVER_MIGRATED.has(codeOf(error) ?? '')) return [UNMIGRATED];
    throw error;
  }
}

/** Returns why the database can't be used, in sentences for the operator. */
export const findDatabaseProblems = (): Promise<string[]> =>
  findMigrationProblems().catch((error: unknown) => [describeConnectionProblem(codeOf(error))]);

/**
 * Logs why this release can't run with the database's migrations: all that serverless hosts check at each start. Never
 * rejects.
 */
export async function logMigrationProblems(): Promise<void> {
  const problems = await findMigrationProblems().catch(() => []);
  for (const problem of problems) log.error({ event: 'startup.problem', check: 'Database' }, problem);
}
