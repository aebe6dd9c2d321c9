import { describeConnectionProblem, isKnownConnectionProblem } from '@/db/connection-problems';
import { codeOf, isDatabaseUnreachable } from '@/db/errors';
import { migrate } from '@/db/migrate';
import { setupNotice } from '@/lib/account/setup/printed-code';
import { findAddressProblem } from '@/lib/foundation/database-address';
import { isWithheld, WITHHELD } from '@/lib/foundation/withheld';
import { loadSettings } from './load-settings';

/** Returns why migrating failed, for the operator. */
function describeFailure(error: unknown): string {
  const code = codeOf(error);
  if (code === '42501') {
    return 'The user in DATABASE_URL isn’t allowed to change this database. It should own the database and everything in it.';
  }
  if (isKnownConnectionProblem(code) || code?.startsWith('28') || isDatabaseUnreachable(error))
    return describeConnectionProblem(code);
  return error instanceof Error ? error.message : String(error);
}

/** Returns the exit code. Needs nothing but the database, so that it can run before anything else is set up. */
async function main(url: string | undefined): Promise<number> {
  if (!url) {
    console.error('DATABASE_URL is missing. Set it in .env or in the environment.');
    return 1;
  }
  const problem = isWithheld(url) ? WITHHELD : findAddressProblem(url);
  if (problem) {
    console.error(`DATABASE_URL ${problem}.`);
    return 1;
  }
  try {
    const count = await migrate(url);
    const applied = `Applied ${count} ${count === 1 ? 'migration' : 'migrations'}.`;
    console.log(count === 0 ? 'The database is up to date.' : applied);
    const renew = process.argv.includes('--new-setup-code');
    const notice = await setupNotice(url, process.env, { renew });
    if (notice) console.log(notice);
    else if (renew) console.log('There’s no new setup code: setup ended with the first account.');
    return 0;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

loadSettings('migrate');
process.exitCode = await main(process.env.DATABASE_URL);
