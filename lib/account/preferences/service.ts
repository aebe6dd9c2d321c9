import { eq, getTableColumns, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { preferences } from '@/db/schema/preferences';
import { moveWeeklyLetter } from '@/lib/reminders/service';
import type { Preferences } from './contract';

/** What an account starts with, and what visitors get. */
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  timeZone: null,
  firstWeekday: 'sunday',
  dateFormat: 'MM/DD/YYYY',
};

const { userId: _, ...columns } = getTableColumns(preferences);

const preferencesStatement = preparedStatement((connection) =>
  connection
    .select(columns)
    .from(preferences)
    .where(eq(preferences.userId, sql.placeholder('userId')))
    .prepare('preferences'),
);

/** Returns how an account's owner wants to see Daylight. Every page runs it. */
export async function getPreferences(userId: string): Promise<Preferences> {
  const [row] = await preferencesStatement().execute({ userId });
  return row ?? DEFAULT_PREFERENCES;
}

/** Changes some preferences. The weekly letter follows a time zone that's chosen. */
export function updatePreferences(userId: string, given: Partial<Preferences>): Promise<Preferences> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(preferences)
      .values({ userId, ...given })
      .onConflictDoUpdate({ target: preferences.userId, set: { userId, ...given } })
      .returning(columns);
    if (given.timeZone) await moveWeeklyLetter(tx, userId, given.timeZone);
    return row ?? DEFAULT_PREFERENCES;
  });
}

/** Returns the first day of the week as a number, as `Date.getDay` counts: 0 is Sunday. */
export function firstWeekdayNumber({ firstWeekday }: Pick<Preferences, 'firstWeekday'>): 0 | 1 | 6 {
  return ({ sunday: 0, monday: 1, saturday: 6 } as const)[firstWeekday];
}
