import { abortRemoteUpload } from '@/components/capture/uploads/transfer/open-upload';
import { tryLock } from '@/components/ui/web-locks';
import { planDetails } from '@/lib/billing/plans/routes';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { call } from '@/lib/foundation/contract/shared/client';
import { createImport } from '@/lib/portability/imports/history/routes';
import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { createArchiveSource } from './archive-source';
import type { ChosenFiles } from './chosen-files';
import type { ChosenClip, ClipValues } from './clips/chosen-clip';
import { createClipsSource } from './clips/clips-source';
import { continueClips, openClips } from './clips/open-clips';
import { importErrorMessage } from './import-error';
import type { ImportSource } from './import-source';
import { getImportState, type ImportState, importLock, NO_IMPORT, patchImport } from './import-state';
import { forgetImport, type KeptHandle, readStoredImport, rememberImport } from './import-store';
import { type ImportPlan, leftOut, planImport } from './plan-import';
import { findArchive } from './read-archive';
import { runImport } from './run-import';

/** What was chosen last, and what it's imported with. */
interface Session {
  account: string;
  limits: FileLimits;
  source: ImportSource;
  handles: readonly KeptHandle[];
  /** What its person decided about each clip; null for an archive. */
  clips: readonly (ClipValues & { id: string })[] | null;
}

let session: Session | null = null;
/** Aborts what's being read or sent. */
let controller = new AbortController();
/** The entry whose video was being sent last. */
let openEntry: string | null = null;
const wakeUps = new EventTarget();
let isStarting = false;

const onOpened = (entryId: string | null) => {
  openEntry = entryId;
};

/** Where an import stands if looking into files fails or is canceled. An unfinished one isn't lost. */
let stateBefore: ImportState = NO_IMPORT;

/** Aborts what's being read or sent. @returns the signal for what comes next */
function takeOver(): AbortSignal {
  controller.abort();
  controller = new AbortController();
  return controller.signal;
}

/** Runs work that looks into files. @returns whether it succeeded; false if it was canceled */
async function read(name: string, work: (signal: AbortSignal) => Promise<Partial<ImportState>>) {
  const before = getImportState();
  stateBefore = before.phase === 'interrupted' || before.phase === 'paused' ? before : NO_IMPORT;
  const signal = takeOver();
  patchImport({ ...NO_IMPORT, phase: 'reading', name });
  try {
    const found = await work(signal);
    if (signal.aborted) return false;
    patchImport({ ...found, reading: null });
    return true;
  } catch (error) {
    if (!signal.aborted) patchImport({ ...stateBefore, problem: importErrorMessage(error) });
    return false;
  }
}

/**
 * Plans what a source would add, by what the journal has of it and what fits, and makes it this page's import.
 * @throws ApiError; or the signal's reason if it's aborted
 */
async function prepare(
  current: Session,
  importId: string | null,
  signal: AbortSignal,
): Promise<Partial<ImportState>> {
  const { source, limits } = current;
  const states = await source.findStates(importId);
  const usage = await call(planDetails);
  signal.throwIfAborted();
  session = current;
  const plan = planImport(source.items, states, { usage, limits });
  return { phase: 'ready', plan, tags: source.tags, importId };
}

/**
 * Looks into files, and shows what they would add: the plan of an archive, or clips to look at. Writes nothing. Does
 * nothing if others were chosen first, since listing a large folder takes a while.
 * @returns whether they can be imported
 */
export async function chooseFiles(
  account: string,
  limits: FileLimits,
  chosen: ChosenFiles,
): Promise<boolean> {
  if (getImportState().phase !== 'idle') return false;
  const { name, handles } = chosen;
  return read(name, async (signal) => {
    const archive = await findArchive(chosen.files);
    if (!archive) return { phase: 'review', review: await openClips(chosen, limits, signal) };
    const source = createArchiveSource(archive);
    return prepare({ account, limits, source, handles, clips: null }, null, signal);
  });
}

/** Takes the clips that a person has looked at, and starts if all of them fit, unless it's canceled meanwhile. */
export async function importClips(
  account: string,
  limits: FileLimits,
  clips: readonly ChosenClip[],
): Promise<void> {
  const { review, name, phase } = getImportState();
  if (!review || phase !== 'review') return;
  const signal = takeOver();
  const source = createClipsSource(review.kind, name, clips);
  const values = clips.map(({ clip, values: own }) => ({ ...own, id: clip.id }));
  const current = { account, limits, source, handles: review.handles, clips: values };
  try {
    patchImport({ problem: null, ...(await prepare(current, null, signal)) });
  } catch (error) {
    if (!signal.aborted) patchImport({ problem: importErrorMessage(error) });
    return;
  }
  await goOn(null);
}

/** Goes back from what would be imported to the clips. */
export const reviewAgain = (): void => patchImport({ phase: 'review', plan: null, problem: null });

/** Sends a person whose session ended to the login page. The import goes on after it. */
function goToLogin(): void {
  patchImport({ phase: 'paused' });
  window.location.assign(`/login?next=${encodeURIComponent('/upload/import')}`);
}

/** Imports what the plan wants, or what's left of it. */
export async function startImport(): Promise<void> {
  const current = session;
  const { phase, plan: planned, importId: earlier } = getImportState();
  if (!current || !planned || phase !== 'ready' || isStarting) return;
  const { account, source, handles, clips } = current;
  const { kind, name } = source;
  isStarting = true;
  const release = await tryLock(importLock(account)).finally(() => {
    isStarting = false;
  });
  if (!release) return patchImport({ problem: PROBLEMS.runningElsewhere });
  const signal = takeOver();
  patchImport({ phase: 'running', problem: null, journalProblem: null, failed: [] });
  try {
    const importId =
      earlier ?? (await call(createImport, { body: { kind, name }, signal, onExpired: 'throw' })).id;
    patchImport({ importId });
    await rememberImport(account, { importId, name, kind, handles, clips });
    await runImport(source, importId, planned.wanted, { wakeUps, onOpened }, signal);
    await forgetImport(account);
    patchImport({ phase: 'done', waiting: null, secondsLeft: null });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) goToLogin();
    else {
      const problem = signal.aborted ? null : importErrorMessage(error);
      patchImport({ phase: 'paused', problem, waiting: null, secondsLeft: null });
    }
  } finally {
    release();
  }
}

/** Starts a plan, unless it leaves out something that its person hasn't been told about. */
async function goOn(before: ImportPlan | null): Promise<void> {
  const known = new Set(before ? leftOut(before) : []);
  const { plan: now } = getImportState();
  if (now && leftOut(now).every((id) => known.has(id))) await startImport();
}

/** Goes on with an import of an earlier visit, whose files have been chosen again or read again. */
export async function continueImport(
  account: string,
  limits: FileLimits,
  chosen: ChosenFiles,
): Promise<void> {
  const { name, phase } = getImportState();
  // A double click finds it reading, or running.
  if (phase !== 'interrupted') return;
  const { handles } = chosen;
  const isReady = await read(name, async (signal) => {
    const stored = await readStoredImport(account);
    if (stored?.clips) {
      const { clips, kind, importId } = stored;
      const source = await continueClips(chosen, { kind, name, clips }, signal);
      return prepare({ account, limits, source, handles, clips }, importId, signal);
    }
    const archive = await findArchive(chosen.files);
    if (!archive && stored) throw new ArchiveProblem(PROBLEMS.otherFiles);
    // The browser has lost what its person decided about the clips.
    if (!archive) return { phase: 'review', review: await openClips(chosen, limits, signal) };
    const source = createArchiveSource(archive);
    return prepare({ account, limits, source, handles, clips: null }, stored?.importId ?? null, signal);
  });
  if (isReady) await goOn(null);
}

/** Goes on with the import that this page has paused, or tries again what has failed. */
export async function resumeImport(): Promise<void> {
  const { phase, plan: before, importId, name } = getImportState();
  const current = session;
  // A double click finds it reading.
  if (!current || (phase !== 'paused' && phase !== 'done')) return;
  // One that ended with failures isn't finished anymore.
  patchImport({ phase: 'paused' });
  if (await read(name, (signal) => prepare(current, importId, signal))) await goOn(before);
}

/**
 * Stops an import for now, or looking into files, which goes back to an import that isn't finished. What has arrived of the
 * current video stays for a day.
 */
export function pauseImport(): void {
  controller.abort();
  if (getImportState().phase === 'reading') patchImport({ ...stateBefore, problem: null });
}

/** Ends the wait before a retry. */
export const retryNow = (): void => void wakeUps.dispatchEvent(new Event('retry'));

/** Forgets an import, here and in this browser. What it has brought stays in the journal. */
export async function discardImport(account: string): Promise<void> {
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
