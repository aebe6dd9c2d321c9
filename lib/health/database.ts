import { sql } from 'drizzle-orm';
import { type AppliedMigrations, isUsableBy, SELECT_APPLIED } from '@/db/applied-migrations';
import { db } from '@/db/client';
import { describeConnectionProblem } from '@/db/connection-problems';
import { codeOf } from '@/db/errors';
import journal from '@/db/migrations/meta/_journal.json';

const UNMIGRATED = 'The database schema is out of date. Run `npm run db:migrate`.';
const TOO_NEW =
  'A newer version of Daylight has removed things from the database that this version needs. Start that version.';

/** SQLSTATEs of a database without the table of migrations. */
const NEVER_MIGRATED = new Set(['42P01', '3F000']);

const NEWEST = Math.max(...journal.entries.map(({ when }) => when));

/** Returns why the database can't be used, in sentences for the operator. */
export async function findDatabaseProblems(): Promise<string[]> {
  try {
    const [applied] = await db().execute<AppliedMigrations>(sql.raw(SELECT_APPLIED));
    if (!applied || applied.newest < NEWEST) return [UNMIGRATED];
    return isUsableBy(NEWEST, applied) ? [] : [TOO_NEW];
  } catch (error) {
    const code = codeOf(error);
    return [NEVER_MIGRATED.has(code ?? '') ? UNMIGRATED : describeConnectionProblem(code)];
  }
}
