import { tryLock } from '@/components/uploads/queue/upload-store';
import { abortRemoteUpload } from '@/components/uploads/transfer/upload-file';
import { ApiError, call } from '@/lib/contract/client';
import { checkEntries } from '@/lib/imports/requests';
import { checkImport } from '@/lib/imports/routes';
import type { FileLimits } from '@/lib/plans/file-limits';
import { planDetails } from '@/lib/plans/routes';
import { importErrorMessage } from './import-error';
import { getImportState, type ImportState, importLock, NO_IMPORT, patchImport } from './import-state';
import { forgetImport, type KeptFileHandle, rememberImport } from './import-store';
import { type ImportPlan, planImport } from './plan-import';
import { type Archive, findProblem, openArchive } from './read-archive';
import { runImport } from './run-import';

/** The archive that was chosen last, and what it's imported with. */
interface Session {
  account: string;
  limits: FileLimits;
  archive: Archive;
  handle: KeptFileHandle | null;
}

let session: Session | null = null;
let controller = new AbortController();
/** The entry whose video was being sent last. */
let openEntry: string | null = null;
/** Whether nothing has been chosen since, which a slow answer belongs to. */
let choice = 0;
const wakeUps = new EventTarget();
let isStarting = false;

const onOpened = (entryId: string | null) => {
  openEntry = entryId;
};

const isPaused = () => controller.signal.aborted;

/** Returns where an import stands after a file couldn't be looked into. An unfinished one isn't lost. */
const stateBefore = (before: ImportState): ImportState =>
  before.phase === 'interrupted' || before.phase === 'paused' ? before : NO_IMPORT;

/** Asks what of an archive the journal has, and what fits. */
async function plan({ archive, limits }: Pick<Session, 'archive' | 'limits'>) {
  const states = await checkEntries(archive.entries, (body) => call(checkImport, { body }));
  const usage = await call(planDetails);
  return planImport(archive.entries, states, { usage, limits }, (entry) => findProblem(archive, entry));
}

/**
 * Looks into a ZIP and shows what it would import. Writes nothing.
 * @param handle of the file, where the browser has one, to go on after a reload
 * @returns whether it can be imported
 */
export async function chooseArchive(
  account: string,
  limits: FileLimits,
  file: File,
  handle: KeptFileHandle | null,
): Promise<boolean> {
  choice += 1;
  const mine = choice;
  const before = getImportState();
  patchImport({ ...NO_IMPORT, phase: 'reading', name: file.name });
  try {
    const archive = await openArchive(file);
    const planned = await plan({ archive, limits });
    if (mine !== choice) return false;
    session = { account, limits, archive, handle };
    patchImport({ phase: 'ready', plan: planned, tags: archive.journal.tags.length });
    return true;
  } catch (error) {
    if (mine === choice) patchImport({ ...stateBefore(before), problem: importErrorMessage(error) });
    return false;
  }
}

/** Sends a person whose session ended to the login page. The import goes on after it. */
function goToLogin(): void {
  patchImport({ phase: 'paused' });
  window.location.assign(`/login?next=${encodeURIComponent('/settings?tab=data')}`);
}

const RUNNING_ELSEWHERE = 'An import is already running in another tab. Go to that tab, or close it.';

/** Imports what the plan wants, or what's left of it. */
export async function startImport(): Promise<void> {
  const current = session;
  const { phase, plan: planned } = getImportState();
  if (!current || !planned || phase !== 'ready' || isStarting) return;
  const { account, archive, handle } = current;
  isStarting = true;
  const release = await tryLock(importLock(account)).finally(() => {
    isStarting = false;
  });
  if (!release) return patchImport({ problem: RUNNING_ELSEWHERE });
  controller = new AbortController();
  patchImport({ phase: 'running', problem: null, journalProblem: null, failed: [] });
  try {
    await rememberImport(account, archive.file.name, handle);
    await runImport(archive, planned.wanted, { wakeUps, onOpened }, controller.signal);
    await forgetImport(account);
    patchImport({ phase: 'done', waiting: null, secondsLeft: null });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) goToLogin();
    else {
      const problem = isPaused() ? null : importErrorMessage(error);
      patchImport({ phase: 'paused', problem, waiting: null, secondsLeft: null });
    }
  } finally {
    release();
  }
}

/** Returns the ids of the archive's entries that a plan leaves out, for lack of space or because of a problem. */
const leftOut = ({ unfit, refused }: ImportPlan) =>
  [...unfit, ...refused.map(({ entry }) => entry)].map(({ entry }) => entry.id);

/**
 * Looks into the file of an unfinished import again, since a part is done, and goes on with the rest. If it leaves out
 * entries that its person hasn't been told about, it waits until they have seen which.
 */
export async function continueImport(
  account: string,
  limits: FileLimits,
  file: File,
  handle: KeptFileHandle | null,
): Promise<void> {
  const { plan: before } = getImportState();
  const known = new Set(before ? leftOut(before) : []);
  if (!(await chooseArchive(account, limits, file, handle))) return;
  const { plan: now } = getImportState();
  if (now && leftOut(now).every((id) => known.has(id))) await startImport();
}

/** Goes on with the import that this page has paused, or tries again what has failed. */
export async function resumeImport(): Promise<void> {
  const { phase } = getImportState();
  // A double click finds it reading the file.
  if (!session || (phase !== 'paused' && phase !== 'done')) return;
  const { account, limits, archive, handle } = session;
  // One that ended with failures isn't finished anymore.
  patchImport({ phase: 'paused' });
  await continueImport(account, limits, archive.file, handle);
}

/** Stops an import for now. What has arrived of the current video stays for a day. */
export const pauseImport = (): void => controller.abort();

/** Ends the wait before a retry. */
export const retryNow = (): void => void wakeUps.dispatchEvent(new Event('retry'));

/** Forgets an import, here and in this browser. What it has brought stays in the journal. */
export async function discardImport(account: string): Promise<void> {
  choice += 1;
  controller.abort();
  session = null;
  patchImport(NO_IMPORT);
  await forgetImport(account);
}

/**
 * Gives up an import that isn't running, and frees the space of a video that has arrived in part. If another tab has gone
 * on with it, only this tab forgets it.
 */
export async function stopImport(account: string): Promise<void> {
  const release = await tryLock(importLock(account));
  if (!release) return patchImport(NO_IMPORT);
  await discardImport(account);
  if (openEntry) await abortRemoteUpload(openEntry);
  openEntry = null;
  release();
}
