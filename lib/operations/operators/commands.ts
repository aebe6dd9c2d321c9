import { parseArgs } from 'node:util';
import { QueryError } from '@/db/errors';
import { sitePlan } from '@/lib/billing/plans/service';
import { PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { email as emailField } from '@/lib/foundation/contract/fields';
import { closest } from './closest';
import { describePeople } from './list';
import {
  disableAccount,
  enableAccount,
  grantPlan,
  invite,
  resetTwoFactor,
  withdrawInvitation,
} from './service';

const HELP = `Manages this site’s accounts, even while it runs.

  npm run daylight -- users list [--json]                    accounts and open invitations
  npm run daylight -- users invite EMAIL                     emails an invitation to sign up
  npm run daylight -- users uninvite EMAIL                   withdraws an invitation
  npm run daylight -- users disable EMAIL [--yes]            turns an account off; its journal stays
  npm run daylight -- users enable EMAIL                     turns it back on
  npm run daylight -- users reset-two-factor EMAIL [--yes]   lets them log in with just their password
  npm run daylight -- users plan EMAIL ${PLAN_TYPES.join('|')}|default
                                                             sets the plan; default undoes that

  --yes             doesn’t ask before it turns something off
  --env-file FILE   takes the settings from this file instead of .env
  --help            shows this

Exits with 0 if it worked, 1 if it didn’t, and 2 if the command is wrong.`;

export interface Terminal {
  print(text: string): void;
  warn(text: string): void;
  /** Asks a yes-or-no question. Missing where nobody could answer, such as in a script. */
  confirm?(question: string): Promise<boolean>;
}

/** Thrown when a command can't be read. */
class UsageError extends Error {}

interface Call {
  email: string;
  /** What follows the address. */
  rest: string[];
  json: boolean;
  /** Resolves once the operator agrees. */
  agree(question: string): Promise<void>;
}

/** Thrown when the operator says no. */
class Declined extends Error {}

function readPlan(given: string | undefined): PlanType | null {
  if (given?.toLowerCase() === 'default') return null;
  const plan = PLAN_TYPES.find((one) => one.toLowerCase() === given?.toLowerCase());
  if (plan) return plan;
  throw new UsageError(`Name a plan: ${PLAN_TYPES.join(', ')}, or default.`);
}

/** Says what stays on when an account is turned off: its owner can't cancel what they can't sign in to. */
const aboutSubscription = (): string =>
  sitePlan() ? '' : '\nIf it has a subscription, cancel that in Stripe. It would be charged as before.';

/** Does the work, and returns what to print. */
type Command = (call: Call) => Promise<string>;

const COMMANDS: Record<string, Command> = {
  list: ({ json }) => describePeople({ json }),
  async invite({ email }) {
    const link = await invite(email);
    return `Invited ${email}. The email goes out within two minutes while the site runs.
If it doesn’t arrive, hand over this link. It works once, for 14 days, and then asks to verify the address:
${link}`;
  },
  async uninvite({ email }) {
    await withdrawInvitation(email);
    return `Withdrew the invitation for ${email}.`;
  },
  async disable({ email, agree }) {
    await agree(`Turn off the account ${email} and sign it out everywhere?`);
    return (await disableAccount(email))
      ? `Turned off the account ${email}. Nobody can sign in to it, and its journal stays.${aboutSubscription()}`
      : `The account ${email} is already off.`;
  },
  async enable({ email }) {
    return (await enableAccount(email))
      ? `Turned the account ${email} back on.`
      : `The account ${email} is already on.`;
  },
  async 'reset-two-factor'({ email, agree }) {
    await agree(`Turn off two-factor login for ${email}? Make sure it’s really them asking.`);
    return (await resetTwoFactor(email))
      ? `Turned off two-factor login for ${email}, and emailed them about it.`
      : `Two-factor login is already off for ${email}.`;
  },
  async plan({ email, rest }) {
    const plan = readPlan(rest[0]);
    const changed = await grantPlan(email, plan);
    if (plan) return `${email} ${changed ? 'now' : 'already'} has ${plan}.`;
    return changed ? `${email} has their own plan again.` : `No plan was set for ${email}.`;
  },
};

/** What commands take, other than those that take an email address. */
const TAKES: Record<string, string[]> = { list: [], plan: ['email', 'plan'] };

function readEmail(given: string): string {
  const parsed = emailField.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues[0]?.message ?? 'Enter a valid email address.');
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, yes: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function findCommand(name: string, given: number): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const similar = closest(name, Object.keys(COMMANDS));
    throw new UsageError(`There’s no command ${name}.${similar ? ` Did you mean ${similar}?` : ''}`);
  }
  const { [name]: takes = ['email'] } = TAKES;
  if (given !== takes.length) throw new UsageError(`${name} takes ${takes.join(' and ') || 'nothing'}.`);
  return command;
}

async function runCommand(args: string[], { print, confirm }: Terminal): Promise<void> {
  const { values, positionals } = read(args);
  const [name, ...given] = positionals;
  if (values.help || !name) {
    print(HELP);
    if (!values.help) throw new UsageError('Name a command.');
    return;
  }
  const command = findCommand(name, given.length);
  const [address, ...rest] = given;
  const agree = async (question: string) => {
    if (confirm && !values.yes && !(await confirm(question))) throw new Declined();
  };
  const email = address === undefined ? '' : readEmail(address);
  print(await command({ email, rest, json: values.json ?? false, agree }));
}

/**
 * Runs one command of `npm run daylight -- users`.
 * @param args what follows the program's name
 * @returns the exit code: 0 if it worked, 1 if it didn't, 2 if the command can't be read
 */
export async function runUsers(args: string[], terminal: Terminal): Promise<number> {
  try {
    await runCommand(args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.warn(`${error.message} See npm run daylight -- users --help.`);
      return 2;
    }
    if (error instanceof Declined) terminal.warn('Nothing was changed.');
    else terminal.warn(describeFailure(error));
    return 1;
  }
}

/** A table or column that isn't there (SQLSTATE). */
const OUTDATED = ['42P01', '42703'];

function describeFailure(error: unknown): string {
  if (!(error instanceof QueryError)) return error instanceof Error ? error.message : String(error);
  return OUTDATED.includes(error.code ?? '')
    ? 'The database is older than this release. Run npm run db:migrate first.'
    : `The database didn’t answer as expected (${error.code ?? 'no code'}). Run npm run daylight -- doctor to find out why.`;
}
