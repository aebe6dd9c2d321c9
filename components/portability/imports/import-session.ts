import { abortRemoteUpload } from '@/components/capture/uploads/transfer/open-upload';
import { tryLock } from '@/components/ui/web-locks';
import { call } from '@/lib/api/shared/client';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { createArchiveSource } from './archive-source';
import type { ChosenFiles } from './chosen-files';
import type { ChosenClip } from './clips/clip-review';
import { createClipsSource } from './clips/clips-source';
import { continueClips, openClips } from './clips/open-clips';
import { importErrorMessage } from './import-error';
import type { ImportEvent, ImportSession } from './import-reducer';
import type { ImportSource } from './import-source';
import { dispatchImport, getImportState, importLock } from './import-state';
import { forgetImport, readStoredImport, rememberImport, type StoredImport } from './import-store';
import { type ImportPlan, planImport, skippedIds } from './plan-import';
import { findArchive } from './read-archive';
import { runImport } from './run-import';

/** Aborts what's being read or sent. */
let controller = new AbortController();
const wakeUps = new EventTarget();

/** Aborts what's being read or sent. @returns the signal for what comes next */
function takeOver(): AbortSignal {
  controller.abort();
  controller = new AbortController();
  return controller.signal;
}

/** Shows what work has found, or why it failed. @returns whether it succeeded; false if it was canceled */
async function show(work: Promise<ImportEvent>, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await work;
    return !signal.aborted && dispatchImport(found);
  } catch (error) {
    if (!signal.aborted) dispatchImport({ type: 'stopped', problem: importErrorMessage(error) });
    return false;
  }
}

/** Runs work that looks into files. @returns whether it succeeded; false if it was canceled */
async function read(name: string, work: (signal: AbortSignal) => Promise<ImportEvent>): Promise<boolean> {
  // A double click finds it reading.
  if (!dispatchImport({ type: 'reading', name })) return false;
  const signal = takeOver();
  return show(work(signal), signal);
}

/**
 * Plans what a source would add, by what the journal has of it and what fits.
 * @throws ApiError; or the signal's reason if it's aborted
 */
async function prepare(
  session: ImportSession,
  importId: string | null,
  signal: AbortSignal,
): Promise<ImportEvent> {
  const { source, limits } = session;
  const states = await source.findStates(importId);
  const usage = await call('GET /plan_details');
  signal.throwIfAborted();
  return { type: 'planned', session, plan: planImport(source.items, states, { usage, limits }), importId };
}

/**
 * Looks into files: the plan of an archive, or clips to review.
 * @param stored the import that goes on, if it's known
 * @throws as `openClips`
 */
async function open(
  account: string,
  limits: FileLimits,
  chosen: ChosenFiles,
  stored: StoredImport | null,
  signal: AbortSignal,
): Promise<ImportEvent> {
  const { handles } = chosen;
  const prepareSource = (source: ImportSource, clips: ImportSession['clips']) =>
    prepare({ account, limits, source, handles, clips }, stored?.importId ?? null, signal);
  if (stored?.clips)
    return prepareSource(await continueClips(chosen, stored, stored.clips, signal), stored.clips);
  const archive = await findArchive(chosen.files);
  if (archive) return prepareSource(createArchiveSource(archive), null);
  if (stored) throw new ArchiveProblem(PROBLEMS.otherFiles);
  return { type: 'opened', review: await openClips(chosen, limits, signal) };
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
  return read(chosen.name, (signal) => open(account, limits, chosen, null, signal));
}

/** Takes the clips that a person has looked at, and starts if all of them fit, unless it's canceled meanwhile. */
export async function importClips(
  account: string,
  limits: FileLimits,
  clips: readonly ChosenClip[],
): Promise<void> {
  const { review, name, phase } = getImportState();
  if (!review || phase !== 'review') return;
  const { kind, handles } = review;
  const signal = takeOver();
  const source = createClipsSource(kind, name, clips);
  const values = clips.map(({ clip, values: own }) => ({ ...own, id: clip.id }));
  const session = { account, limits, source, handles, clips: values };
  if (await show(prepare(session, null, signal), signal)) await startIfUnchanged(null);
}

/** Goes back from what would be imported to the clips. */
export const reviewAgain = (): boolean => dispatchImport({ type: 'reviewed-again' });

/** Imports what the plan wants, or what's left of it. */
export async function startImport(): Promise<void> {
  const { session, plan } = getImportState();
  // A double click finds it running.
  if (!session || !plan || !dispatchImport({ type: 'started' })) return;
  const { account, source, handles, clips } = session;
  const { kind, name } = source;
  const signal = takeOver();
  const release = await tryLock(importLock(account)).catch(() => null);
  if (!release) {
    dispatchImport({ type: 'refused', problem: PROBLEMS.runningElsewhere });
    return;
  }
  try {
    signal.throwIfAborted();
    const importId =
      getImportState().importId ??
      (await call('POST /imports', { body: { kind, name }, signal, onExpired: 'throw' })).id;
    dispatchImport({ type: 'progress', values: { importId } });
    await rememberImport(account, { importId, name, kind, handles, clips });
    await runImport(source, importId, plan.wanted, wakeUps, signal);
    await forgetImport(account);
    dispatchImport({ type: 'finished' });
  } catch (error) {
    const isExpired = error instanceof ApiError && error.status === 401;
    const problem = signal.aborted || isExpired ? null : importErrorMessage(error);
    dispatchImport({ type: 'stopped', problem });
    // The import goes on after it.
    if (isExpired) window.location.assign(`/login?next=${encodeURIComponent('/upload/import')}`);
  } finally {
    release();
  }
}

/** Starts a plan, unless it leaves out something that the user hasn't been told about. */
async function startIfUnchanged(before: ImportPlan | null): Promise<void> {
  const known = new Set(before ? skippedIds(before) : []);
  const { plan: now } = getImportState();
  if (now && skippedIds(now).every((id) => known.has(id))) await startImport();
}

/** Goes on with an import of an earlier visit, whose files have been chosen again or read again. */
export async function continueImport(
  account: string,
  limits: FileLimits,
  chosen: ChosenFiles,
): Promise<void> {
  const { name, phase } = getImportState();
  // A double click finds it running.
  if (phase !== 'interrupted') return;
  const isReady = await read(name, async (signal) => {
    // Without what's stored, the browser has lost what the user decided about the clips.
    const stored = await readStoredImport(account);
    return open(account, limits, chosen, stored && { ...stored, name }, signal);
  });
  if (isReady) await startIfUnchanged(null);
}

/** Goes on with the import that this page has paused, or tries again what has failed. */
export async function resumeImport(): Promise<void> {
  const { session, plan, importId, name } = getImportState();
  if (session && (await read(name, (signal) => prepare(session, importId, signal))))
    await startIfUnchanged(plan);
}

/**
 * Stops an import for now, or looking into files, which goes back to an import that isn't finished. What has arrived of the
 * current video stays for a day.
 */
export function pauseImport(): void {
  controller.abort();
  if (getImportState().phase === 'reading') dispatchImport({ type: 'stopped', problem: null });
}

/** Ends the wait before a retry. */
export const retryNow = (): void => void wakeUps.dispatchEvent(new Event('retry'));

/** Forgets an import, here and in this browser. What it has brought stays in the journal. */
export async function discardImport(account: string): Promise<void> {
  controller.abort();
  dispatchImport({ type: 'forgotten' });
  await forgetImport(account);
}

/**
 * Gives up an import that isn't running, and frees the space of a video that has arrived in part. If another tab has gone
 * on with it, only this tab forgets it.
 */
export async function stopImport(account: string): Promise<void> {
  const { openEntry } = getImportState();
  const release = await tryLock(importLock(account));
  if (!release) {
    dispatchImport({ type: 'forgotten' });
    return;
  }
  await discardImport(account);
  if (openEntry) await abortRemoteUpload(openEntry);
  release();
}
