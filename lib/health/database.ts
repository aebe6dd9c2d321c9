import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { QueryError } from '@/db/errors';
import journal from '@/db/migrations/meta/_journal.json';

const UNMIGRATED = 'The database isn’t migrated to this version. Run `npm run db:migrate`.';

/** What to say for a SQLSTATE; without one of these, the database doesn't answer. */
const PROBLEMS: Record<string, string> = {
  '28P01': 'Postgres refuses the password in DATABASE_URL.',
  '28000': 'Postgres refuses the user in DATABASE_URL.',
  '3D000': 'Postgres has no database of the name in DATABASE_URL. Create it.',
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
        : 'A newer version of Daylight has migrated the database. Start that version.',
    ];
  } catch (error) {
    const code = error instanceof QueryError ? (error.code ?? '') : '';
    const silence = `The database doesn’t answer${code ? ` (${code})` : ''}. Start it, or correct DATABASE_URL.`;
    return [PROBLEMS[code] ?? silence];
  }
}
