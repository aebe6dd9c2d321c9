import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import type { Entry } from '@/lib/journal/entries/contract';
import { getOriginal } from '@/lib/video/downloads/contract';
import { projectRoot } from '@/local/up/data-dir';
import type { EntryRow } from './evidence';
import { compareEntry, compareRows } from './expectations';
import { insist, type Person } from './people';
import type { UploadKind } from './schedule';
import type { LoadSite } from './site';
import { type Clip, UPLOAD_KINDS } from './upload-kinds';
import type { Outcome } from './uploads';

/** A line of the report: what has to hold, and what shows that it doesn't. */
export interface Check {
  name: string;
  problems: string[];
}

export interface Checked {
  site: LoadSite;
  people: Person[];
  outcomes: Outcome[];
  clips: Record<UploadKind, Clip>;
  rows: EntryRow[];
}

/** How many requests the checks send at once. */
const PARALLEL = 8;

/** How long a check tries again if the machine is too busy to answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000;

const answerTimeout = (): AbortSignal => AbortSignal.timeout(ANSWER_TIMEOUT_MS);

const read = (people: readonly Person[], { person, entryId }: Outcome): Promise<Entry | null> =>
  insist(people[person] as Person, (tab) => tab.getEntry(entryId ?? ''), answerTimeout()).catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });

/** Every upload has become what it has to, as its owner sees it. */
async function checkStates({ people, outcomes }: Checked): Promise<string[]> {
  const limit = pLimit(PARALLEL);
  const found = await limit.map(outcomes, async (outcome) => {
    const { title, kind, entryId, problem } = outcome;
    const differences = problem ? [problem] : [];
    if (entryId) differences.push(...compareEntry(kind, await read(people, outcome)));
    else if (kind !== 'refused' && !problem) differences.push('has no entry');
    return differences.map((difference) => `“${title}” (${kind}, ${entryId}): ${difference}`);
  });
  return found.flat();
}

/** What people download is what they uploaded, byte by byte. */
async function checkOriginals({ site, people, outcomes, clips }: Checked): Promise<string[]> {
  const limit = pLimit(PARALLEL);
  const found = await limit.map(outcomes, async (outcome) => {
    const { title, kind, entryId, person } = outcome;
    if (!entryId || UPLOAD_KINDS[kind].ends.place !== 'journal') return [];
    const { api } = (people[person] as Person).account;
    // Renews the session, which may have expired while everything settled.
    await read(people, outcome);
    const redirect = await insist(
      people[person] as Person,
      async () => {
        const response = await api.sendOperation(getOriginal, { params: { id: entryId } });
        if (response.status >= 500) throw Object.assign(new Error('Busy.'), { status: response.status });
        return response;
      },
      answerTimeout(),
    );
    const address = redirect.headers.get('location');
    if (redirect.status !== 307 || !address) return [`“${title}”: its download answered ${redirect.status}`];
    const response = await fetch(new URL(address, site.url));
    const sha256 = createHash('sha256')
      .update(new Uint8Array(await response.arrayBuffer()))
      .digest('hex');
    return response.ok && sha256 === clips[kind].sha256
      ? []
      : [`“${title}” (${entryId}) isn’t what was uploaded`];
  });
  return found.flat();
}

/** What the site confirmed of people's edits is there, once. */
async function checkEdits({ people, outcomes }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const outcome of outcomes) {
    if (!outcome.edits) continue;
    const entry = await read(people, outcome);
    if (entry?.title !== outcome.edits.title)
      problems.push(`“${outcome.edits.title}” is called “${entry?.title}”`);
    const notes = entry?.notes.map(({ text }) => text) ?? [];
    if (notes.join() !== outcome.edits.note)
      problems.push(`“${outcome.title}” has the notes ${JSON.stringify(notes)}`);
  }
  return problems;
}

/** What each plan counts is the sum of its person's entries. */
async function checkUsage({ people, outcomes, clips }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, person] of people.entries()) {
    const used = await insist(person, (tab) => tab.getPlan(), answerTimeout());
    const own = outcomes.filter(
      (outcome) => outcome.person === index && UPLOAD_KINDS[outcome.kind].ends.place === 'journal',
    );
    const bytes = own.reduce((sum, { kind }) => sum + clips[kind].bytes, 0);
    if (used.videoCount !== own.length || used.storageUse !== bytes) {
      problems.push(
        `${person.account.email}: ${used.videoCount} videos of ${used.storageUse} bytes, and should be ${own.length} of ${bytes}`,
      );
    }
  }
  return problems;
}

/** Everybody got the email that verifies their address once, and no email twice. */
async function checkMails({ site, people }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const { account } of people) {
    const subjects = (await site.mailbox.all(account.email)).map(({ subject }) => subject);
    const doubled = subjects.filter((subject, index) => subjects.indexOf(subject) !== index);
    if (doubled.length > 0) problems.push(`${account.email} got twice: ${doubled.join(', ')}`);
    if (!subjects.some((subject) => /verify/i.test(subject))) problems.push(`${account.email} got no link`);
  }
  return problems;
}

/** `npm run daylight -- doctor --data` finds nothing. */
async function runDoctor({ site }: Checked): Promise<string[]> {
  try {
    await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'doctor', '--data'], {
      cwd: projectRoot,
      env: site.env as unknown as NodeJS.ProcessEnv,
    });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return (`${stdout}${stderr}`.trim() || message).split('\n');
  }
}

const CHECKS: [name: string, find: (checked: Checked) => Promise<string[]>][] = [
  ['Every upload is in its correct final state', checkStates],
  ['No entry is lost or doubled', async ({ outcomes, rows }) => compareRows(outcomes, rows)],
  ['Downloaded originals are the uploaded bytes', checkOriginals],
  ['Edits that were confirmed are saved once', checkEdits],
  ['Plans count what’s there', checkUsage],
  ['No email is missing or doubled', checkMails],
  ['The doctor finds nothing', runDoctor],
];

/** Runs every check, one after the other. Never rejects. */
export async function runChecks(checked: Checked): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, find] of CHECKS) {
    const problems = await find(checked).catch((error: Error) => [`The check failed: ${error.stack}`]);
    checks.push({ name, problems });
  }
  return checks;
}
