import { sql } from 'drizzle-orm';
import { db, hasAnsweredWithin } from '@/db/client';
import { isDatabaseUnavailable } from '@/db/errors';

/** A statement that succeeded this recently shows that the database is available, in milliseconds. */
const RECENT_MS = 1000;

/** Returns whether the database answers, within five seconds. Asks it only if nothing else has in the last second. */
export async function isDatabaseAvailable(): Promise<boolean> {
  if (hasAnsweredWithin(RECENT_MS)) return true;
  try {
    await db().execute(sql`select 1`);
    return true;
  } catch (error) {
    // Anything else isn't for a visitor to wait for, and shows when the page is made.
    return !isDatabaseUnavailable(error);
  }
}
