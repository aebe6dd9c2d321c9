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
 * @param tx a transaction that no other deployment migrates in
 * @param squashed the migrations that replaced the old ones, in order
 * @throws Error with what to do if the database is older than the last replaced migration
 */
export async function recordBaseline(
  tx: postgres.TransactionSql,
  squashed: readonly { hash: string; at: number }[],
): Promise<void> {
  const [first] = squashed;
  const rows = await tx<{ at: number }[]>`
    select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
  if (!first || rows.length === 0 || rows.some(({ at }) => at >= first.at)) return;
  if (!rows.some(({ at }) => at === LAST_REPLACED)) throw new Error(TOO_OLD);
  for (const { hash, at } of squashed) {
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${at})`;
  }
}
