import { parseArgs } from 'node:util';
import { env } from '@/lib/foundation/env';
import { safeError } from '@/lib/foundation/safe-error';
import { readOptionsOrExplain } from '@/lib/operations/program-options';
import { CHECK_NAMES, runCheck } from './checks';
import { isIdPrefix } from './comparison/account-ranges';
import { type ComparisonOptions, compareData } from './comparison/compare';
import { type Finding, problem } from './finding';

const HELP = `Checks the settings and every service they point to, even while the site runs.

  npm run daylight -- doctor             checks settings and services
  npm run daylight -- doctor --data      also compares the database, storage, and the search index
  npm run daylight -- doctor --repair    the same, and repairs what’s safe to repair

  --env-file FILE   takes the settings from this file instead of .env, such as those of a site elsewhere
  --only PREFIX     compares only accounts whose id starts like this, such as 019ac
  --thorough        compares every word in the search index, which takes long
  --delete-many     with --repair: also deletes videos that no entry refers to, and other files however many there are
  --help            shows this

Exits with 0 if nothing is wrong (anymore), 1 if something is, and 2 if the command is wrong.`;

const INDENT = '    ';

type Print = (line: string) => void;

/** Returns the lines about one check. */
function describe(name: string, { problems, notes = [], facts = [], skipped }: Finding): string {
  const mark = problems.length > 0 ? '✗' : '✓';
  const lines = [...problems, ...facts, ...notes].flatMap((text) => text.split('\n'));
  return [
    `${mark} ${name}`,
    ...lines.map((line) => INDENT + line),
    ...(skipped ? [`– ${skipped.name}: skipped. ${skipped.why}`] : []),
  ].join('\n');
}

/**
 * Checks the settings and everything they point to, and prints a line for each. Works whether or not the app runs.
 * Prints no value of a secret.
 * @returns the names of the checks that found something wrong
 */
async function checkServices(print: Print): Promise<string[]> {
  try {
    env();
  } catch (error) {
    print(describe('Settings', problem(error instanceof Error ? error.message : String(error))));
    return ['Settings'];
  }
  print(describe('Settings', { problems: [] }));
  const checks = CHECK_NAMES.map((name) => ({ name, finding: runCheck(name) }));
  const failed: string[] = [];
  for (const { name, finding } of checks) {
    const found = await finding;
    if (found.problems.length > 0) failed.push(name);
    print(describe(name, found));
  }
  return failed;
}

/** What the comparison can't do without. */
const NEEDED = ['Settings', 'Database', 'Storage'];

/** Compares what the services hold. @returns whether nothing is wrong */
async function checkData(print: Print, failed: string[], options: ComparisonOptions): Promise<boolean> {
  const missing = failed.filter((name) => NEEDED.includes(name)).join(' and ');
  if (missing) {
    print(describe('Data', problem(`Not compared. First fix what’s wrong above: ${missing}.`)));
    return false;
  }
  try {
    const found = await compareData(options);
    for (const { name, ...finding } of found) print(describe(name, finding));
    return found.every(({ problems }) => problems.length === 0);
  } catch (error) {
    const { name, message } = safeError(error);
    print(describe('Data', problem(`The comparison stopped: ${message} (${name}). Run it again.`)));
    return false;
  }
}

/** Returns what the arguments ask for. @throws Error that explains why they can't be read */
function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
      thorough: { type: 'boolean', default: false },
      'delete-many': { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (!isIdPrefix(values.only)) {
    throw new Error(
      '--only takes the beginning of an account’s id: lowercase hex digits, and hyphens where ids have them.',
    );
  }
  if (values['delete-many'] && !values.repair) throw new Error('--delete-many only works with --repair.');
  return values;
}

/** Runs the doctor. @returns the exit code, as the help explains it */
export async function runDoctor(args: string[], print: Print): Promise<0 | 1 | 2> {
  const options = readOptionsOrExplain(() => readOptions(args), HELP, { print });
  if (typeof options === 'number') return options;
  const { data, repair: mayRepair, thorough: isThorough, only, 'delete-many': mayDeleteMany } = options;
  const failed = await checkServices(print);
  const isComparing = data || mayRepair || isThorough || only !== '';
  const isRight =
    !isComparing || (await checkData(print, failed, { only, isThorough, mayRepair, mayDeleteMany }));
  return failed.length === 0 && isRight ? 0 : 1;
}
