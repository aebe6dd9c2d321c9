import { randomInt } from 'node:crypto';
import type postgres from 'postgres';
import { openDatabase } from '@/db/connect';
import { argon2id } from '@/lib/account/passwords/argon2id';

const ANOTHER = '`npm run db:migrate -- --new-setup-code` prints a new one';

/**
 * Stores a new code of eight digits, hashed, unless setup has ended.
 * @param renew whether it replaces a code that was printed before, which also lets people try again after ten wrong ones
 * @returns the code, which nobody can find out later; null if there's one already
 */
async function storeCode(sql: postgres.Sql, renew: boolean): Promise<string | null> {
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  // Argon2id, because whoever gets a copy of the database could try all codes of a plain hash within seconds. Not a hash
  // keyed with AUTH_SECRET, because migrating needs nothing but the database.
  const stored =
    await sql`update setup set code_hash = ${await argon2id(code)}, tries = 0, closed_until = null
    where ended_at is null and (code_hash is null or ${renew})`;
  return stored.count > 0 ? code : null;
}

/** Returns {@link setupNotice}'s line. */
async function describeSetup(
  sql: postgres.Sql,
  { address, hasOwnCode, renew }: { address: string; hasOwnCode: boolean; renew: boolean },
): Promise<string | null> {
  const [open] = await sql<{ printed: boolean }[]>`
    select code_hash is not null as printed from setup where ended_at is null`;
  if (!open) return null;
  if (hasOwnCode) return `Create the first account at ${address} with the code in SETUP_CODE.`;
  // Hashing takes a while, so not for nothing.
  const code = open.printed && !renew ? null : await storeCode(sql, renew);
  if (!code)
    return `Create the first account at ${address} with the setup code that was printed before (${ANOTHER}).`;
  return `Create the first account at ${address} with the setup code ${code.slice(0, 4)} ${code.slice(4)}`;
}

/**
 * Returns one line that tells the operator how to make the first account; null once there has been one. It holds the
 * setup code when that's new: the settings have none, and none was printed before.
 * @param settings the variables, of which it reads APP_URL and SETUP_CODE
 * @param options.renew whether the operator asks for a new code
 */
export async function setupNotice(
  databaseUrl: string,
  settings: Record<string, string | undefined>,
  { renew }: { renew: boolean },
): Promise<string | null> {
  const address = `${(settings.APP_URL ?? '').replace(/\/+$/, '')}/setup`;
  const sql = openDatabase(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    return await describeSetup(sql, { address, hasOwnCode: Boolean(settings.SETUP_CODE), renew });
  } finally {
    await sql.end();
  }
}
