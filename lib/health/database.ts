import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { QueryError } from '@/db/errors';
import journal from '@/db/migrations/meta/_journal.json';

const UNMIGRATED = 'The database schema is out of date. Run `npm run db:migrate`.';

/** What to say for a SQLSTATE; without one of these, the database doesn't answer. */
const PROBLEMS: Record<string, string> = {
  '28P01': 'Postgres rejected the password in DATABASE_URL.',
  '28000': 'Postgres rejected the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL doesn’t exist. Create it, or fix DATABASE_URL.',
  '42P01': UNMIGRATED,
  '3F000': UNMIGRATED,
};

const NEWEST = Math.max(...journal.entries.map(({ when }) => when));

/** Returns why the database can't be used, in sentences for the operator. */
export async function findDatabaseProblems(): Promise<string[]> {
  try {
    const [row] = await db().execute<{ newest: string | null }>(
      sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
    );
    const newest = Number(row?.newest ?? 0);
    if (newest === NEWEST) return [];
    return [
      newest < NEWEST
        ? UNMIGRATED
        : 'The database was migrated by a newer version of Daylight. Start that version.',
    ];
  } catch (error) {
    const code = error instanceof QueryError ? (error.code ?? '') : '';
    const silence = `The database isn’t responding${code ? ` (${code})` : ''}. Start it, or fix DATABASE_URL.`;
    return [PROBLEMS[code] ?? silence];
  }
}
