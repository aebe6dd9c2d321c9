import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { listObjects, listUploads } from '@/lib/clients/storage-listing';

/** Reads every row of a database, by table. */
async function readTables(): Promise<Record<string, unknown>> {
  const tables = await db().execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  // One statement, so that it's one moment.
  const columns = tables.map(
    ({ name }) =>
      sql`(select coalesce(jsonb_agg(to_jsonb(r) order by r::text), '[]') from ${sql.identifier(name)} r) as ${sql.identifier(name)}`,
  );
  const [rows] = await db().execute(sql`select ${sql.join(columns, sql`, `)}`);
  return rows ?? {};
}

/** Reads every row that names an account, by table, so that a test can tell that a change of another one leaves it alone. */
export async function rowsAbout(userId: string): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(await readTables()) as [string, unknown[]][];
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, rows.filter((row) => JSON.stringify(row).includes(userId))]),
  );
}

/** Returns what a listing has on all its pages. */
export async function allOf<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** Reads everything that Daylight stores, so that a test can tell that something has changed nothing. */
export async function readWholeState() {
  return {
    tables: await readTables(),
    objects: await allOf(listObjects('')),
    uploads: await allOf(listUploads('')),
  };
}
