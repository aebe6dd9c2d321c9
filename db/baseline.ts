import type postgres from 'postgres';

/** The last of the 20 migrations that `0000_schema` and `0001_search` replaced before the first release. */
const LAST_REPLACED = 1795366291775;

const TOO_OLD = [
  "This database is older than this version of Daylight can upgrade. It's unchanged.",
  'First, start the last version that has db/migrations/0019_language_tags.sql',
  '(the parent of the commit that `git log -1 --diff-filter=D -- db/migrations/0019_language_tags.sql` prints),',
  'then this one.',
].join(' ');

/**
 * Records the squashed migrations as applied in a database that already has everything they create, because it ran
 * the migrations they replace. Does nothing in a new database, or if they're already recorded.
 * @param squashed the migrations that replaced the old ones, in order
 * @throws Error with what to do if the database is older than the last replaced migration
 */
export async function recordBaseline(
  sql: postgres.Sql,
  squashed: readonly { hash: string; folderMillis: number }[],
): Promise<void> {
  const first = squashed[0];
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (!first || !table?.name) return;
  await sql.begin(async (tx) => {
    // Two deployments may start at the same time; the second one waits and then has nothing left to do.
    await tx`lock table drizzle.__drizzle_migrations in share row exclusive mode`;
    const rows = await tx<{ at: number }[]>`
      select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
    if (rows.length === 0 || rows.some(({ at }) => at >= first.folderMillis)) return;
    if (!rows.some(({ at }) => at === LAST_REPLACED)) throw new Error(TOO_OLD);
    for (const { hash, folderMillis } of squashed) {
      await tx`
        insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    }
  });
}
