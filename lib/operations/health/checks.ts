import { QueryError } from '@/db/errors';
import { sitePlan } from '@/lib/billing/plans/service';
import { hasOtherApp } from '@/lib/clients/inngest-check';
import { serveOrigin } from '@/lib/clients/job-service';
import { findMailProblems } from '@/lib/clients/mail';
import { findSpeechProblems } from '@/lib/clients/speech';
import { findStorageProblems } from '@/lib/clients/storage-check';
import { findPaymentProblems } from '@/lib/clients/stripe-check';
import { describeVerification, findWeakMode, readDatabaseAddress } from '@/lib/foundation/database-address';
import { env } from '@/lib/foundation/env';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { areFunctions } from '@/lib/video/processing/job-limits';
import { findMissingFiles } from '@/lib/video/speech/files';
import { findDatabaseProblems } from './database';
import { checkDisk } from './disk';
import { type Finding, note, problem } from './finding';
import { findJobsProblems } from './jobs';
import { describeMedia, findExposures } from './media';
import { checkSite } from './site';

/** How long one request of a check may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How long to wait for a first job to run, in milliseconds. */
const JOB_WAIT_MS = 15_000;
/** How long a whole check may take, in milliseconds. */
const CHECK_TIMEOUT_MS = 45_000;

/** Returns whether a web server answers at all. */
function isServing(): Promise<boolean> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return fetch(`${serveOrigin()}/api/health`, { signal, cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** What to do about functions that Inngest knows from before `JOBS` was changed. */
const OTHER_APP = {
  serve:
    'Inngest still has the app “daylight-worker”, so every job also starts there. Stop the workers and archive that app in Inngest.',
  worker:
    'Inngest still has the app “daylight”, so every job also starts there. Set JOBS=worker on the web servers too, and archive that app in Inngest.',
};

async function checkDatabase(): Promise<Finding> {
  const problems = await findDatabaseProblems();
  const address = readDatabaseAddress(env().DATABASE_URL);
  const weak = findWeakMode(address);
  return {
    problems,
    notes: weak ? [weak] : [],
    facts: problems.length === 0 ? [describeVerification(address)] : [],
  };
}

const NO_FFMPEG_HERE = 'Jobs run in functions, not on this machine. Check /api/health instead.';
const NO_SPEECH_HERE =
  'The built-in engine runs in functions, not on this machine. To check it, upload a video with a few words.';

/** @param isStarting whether this process is about to serve the app */
async function checkJobs(isStarting: boolean): Promise<Finding> {
  const isRunning = isStarting || env().JOBS === 'worker' || (await isServing());
  const [problems, hasOther] = await Promise.all([
    findJobsProblems({
      timeoutMs: REQUEST_TIMEOUT_MS,
      waitMs: JOB_WAIT_MS,
      isRunning,
      triesEvent: !isStarting,
    }),
    hasOtherApp(REQUEST_TIMEOUT_MS),
  ]);
  // A worker may have connected meanwhile.
  const exposures = await findExposures();
  // A process that starts logs its ffmpeg anyway.
  const tools = isStarting ? [] : await describeMedia();
  const notes = [
    isRunning ? '' : `The app isn’t responding at ${serveOrigin()}, so no test job was sent.`,
    hasOther ? OTHER_APP[env().JOBS] : '',
    ...exposures,
    ...tools,
  ];
  return {
    problems,
    notes: notes.filter((note) => note !== ''),
    ...(areFunctions() && { skipped: { name: 'Media', why: NO_FFMPEG_HERE } }),
  };
}

async function checkPayments(): Promise<Finding> {
  const plan = sitePlan();
  if (!plan) return { problems: await findPaymentProblems() };
  return note(
    `Plans are off, because STRIPE_SECRET_KEY isn’t set. Every account has DEFAULT_PLAN, which is ${plan}.`,
  );
}

async function checkSpeech(): Promise<Finding> {
  if (env().SPEECH_BASE_URL) return { problems: await findSpeechProblems(REQUEST_TIMEOUT_MS) };
  const english = note('The built-in engine transcribes English. For other languages, set SPEECH_BASE_URL.');
  if (areFunctions()) return { ...english, skipped: { name: 'Speech files', why: NO_SPEECH_HERE } };
  const [missing] = await findMissingFiles();
  if (!missing) return english;
  return problem(
    `The built-in speech engine can’t run: ${missing} is missing. Run \`npm ci\` and \`npm run build\` again, or set SPEECH_BASE_URL.`,
  );
}

const only = (find: () => Promise<string[]>) => async () => ({ problems: await find() });

/** Everything around the app that an operator sets up, and what checks it. */
const CHECKS = {
  // A site that's starting would ask itself.
  Site: async (isStarting) => (isStarting ? { problems: [] } : checkSite(REQUEST_TIMEOUT_MS)),
  Database: checkDatabase,
  Storage: only(findStorageProblems),
  Jobs: checkJobs,
  Speech: checkSpeech,
  Payments: checkPayments,
  Email: only(() => findMailProblems(REQUEST_TIMEOUT_MS)),
  Disk: checkDisk,
} satisfies Record<string, (isStarting: boolean) => Promise<Finding>>;
type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/**
 * Runs one check. Never rejects.
 * @param isStarting whether this process is about to serve the app
 */
export async function runCheck(name: CheckName, { isStarting = false } = {}): Promise<Finding> {
  const subject = name.toLowerCase();
  const seconds = CHECK_TIMEOUT_MS / 1000;
  const tooSlow = `Checking ${subject} took more than ${seconds} seconds. The service may be slow or overloaded.`;
  const failed = (error: unknown): Finding => {
    if (error instanceof QueryError) return problem(`Couldn’t check ${subject} without the database.`);
    const cause = error instanceof Error ? error.name : 'unknown error';
    return problem(`Couldn’t check ${subject}: unexpected error (${cause}).`);
  };
  const check: Promise<Finding> = CHECKS[name](isStarting);
  return withTimeout(check.catch(failed), CHECK_TIMEOUT_MS, () => problem(tooSlow));
}
