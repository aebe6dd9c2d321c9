import type postgres from 'postgres';

/**
 * Timeouts for the app's sessions. A statement's includes its wait for locks. A transaction may be idle while it
 * holds a lock during a call to Stripe (up to 12 s).
 */
const TIMEOUTS = {
  statement_timeout: '20s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '2min',
};

/**
 * Sets the timeouts for every later session of this role in this database. They're stored in the role's settings,
 * because transaction poolers reject startup parameters and share what a session sets.
 */
export async function setTimeouts(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => {
    // Deployments that alter the same role at the same time fail with "tuple concurrently updated".
    await tx`select pg_advisory_xact_lock(hashtext('daylight:timeouts'))`;
    const [row] = await tx<{ name: string; settings: string[] }[]>`
      select datname as name, coalesce((
        select array_to_json(setconfig) from pg_db_role_setting
        where setdatabase = pg_database.oid and setrole = session_user::regrole
      ), '[]') as settings
      from pg_database where datname = current_database()`;
    if (!row) throw new Error('The connected database is missing from pg_database.');
    for (const [name, value] of Object.entries(TIMEOUTS)) {
      if (row.settings.includes(`${name}=${value}`)) continue;
      await tx`alter role session_user in database ${tx(row.name)} set ${tx(name)} = ${tx.unsafe(`'${value}'`)}`;
    }
  });
}
