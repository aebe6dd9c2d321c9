import { sql } from 'drizzle-orm';
import { db } from '@/db/client';

/**
 * Makes changes of a table fail, as when the database goes away in the middle of something.
 * @param change as after `create trigger name before`: `update`, `insert or update`
 * @param when which rows can't be changed, in SQL, as in a trigger
 * @returns what ends that
 */
export async function refuseWrites(
  table: string,
  change: string,
  when = 'true',
): Promise<() => Promise<unknown>> {
  await db().execute(sql`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test'; end $$`);
  await db().execute(
    sql.raw(
      `create trigger refuse before ${change} on ${table} for each row when (${when}) execute function refuse()`,
    ),
  );
  return () => db().execute(sql.raw(`drop trigger refuse on ${table}`));
}
