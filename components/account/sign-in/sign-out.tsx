'use client';

import { Suspense, useEffect, useState } from 'react';
import { mayHaveRecordings } from '@/components/capture/recorder/has-recordings';
import { loadQueue } from '@/components/capture/uploads/queue/load-queue';
import {
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  uploadQueueStore,
} from '@/components/capture/uploads/queue/upload-queue-store';
import { WAITING_EDITS_KEY } from '@/components/journal/offline-edits/edit';
import { keptOwner } from '@/components/journal/saved-entries/has-kept';
import { isImporting } from '@/components/portability/imports/import-state';
import { clearAccountStorage, getDeviceSetting } from '@/components/ui/browser-storage';
import { lazyComponent, loadCode } from '@/components/ui/load-code';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { call } from '@/lib/api/shared/client';
import type { Question, Unsent } from './sign-out-question';

const SignOutQuestion = lazyComponent(() => import('./sign-out-question'), 'SignOutQuestion');

async function hasUploads(account: string): Promise<boolean> {
  if (uploadQueueStore.get().some(isActiveUpload)) return true;
  if (getDeviceSetting(INTERRUPTED_UPLOADS_KEY) !== account) return false;
  const { listAllUploads } = await loadCode(() => import('@/components/capture/uploads/queue/upload-store'));
  return (await listAllUploads()).some(({ owner }) => owner === account);
}

async function findUnsent(account: string): Promise<Unsent> {
  if (!mayHaveRecordings()) return { count: 0, bytes: 0 };
  const { listRecordingSizes } = await loadCode(
    () => import('@/components/capture/recorder/recording-store'),
  );
  const found = await listRecordingSizes(account).catch(() => []);
  return { count: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Returns how many changes made without a network the server doesn't have yet. */
async function countUnsentEdits(account: string): Promise<number> {
  if (getDeviceSetting(WAITING_EDITS_KEY) === null) return 0;
  const { countEdits } = await loadCode(() => import('@/components/journal/offline-edits/edit-store'));
  return countEdits(account);
}

type Topic = Question['about'];

/** Returns what logging out would cancel or leave behind, and hasn't been asked about. */
async function findQuestion(account: string | null, asked: readonly Topic[]): Promise<Question | null> {
  if (account === null) return null;
  if (!asked.includes('uploads') && (await hasUploads(account))) return { about: 'uploads' };
  if (!asked.includes('recordings')) {
    // Without the network that loads the code, they stay.
    const unsent = await findUnsent(account).catch(() => null);
    if (unsent && unsent.count > 0) return { about: 'recordings', ...unsent };
  }
  if (!asked.includes('edits')) {
    const count = await countUnsentEdits(account).catch(() => 0);
    if (count > 0) return { about: 'edits', count };
  }
  return !asked.includes('import') && isImporting() ? { about: 'import' } : null;
}

/** Deletes the entries on this device, also those of a session that has expired. */
async function deleteKept(): Promise<void> {
  const owner = keptOwner();
  if (owner === null) return;
  try {
    const { deleteAllKept } = await loadCode(() => import('@/components/journal/saved-entries/kept-store'));
    await deleteAllKept(owner);
  } catch {
    // The network failed, and logging out matters more. They're deleted when another account signs in.
  }
}

async function forgetEdits(account: string): Promise<void> {
  if (getDeviceSetting(WAITING_EDITS_KEY) === null) return;
  const { deleteEdits } = await loadCode(() => import('@/components/journal/offline-edits/edit-store'));
  await deleteEdits(account);
}

/** Deletes recordings that were discarded, or all of them. */
async function deleteUnsent(account: string, all: boolean): Promise<void> {
  if (!mayHaveRecordings()) return;
  try {
    const { deleteDiscarded, deleteRecordings } = await loadCode(
      () => import('@/components/capture/recorder/discard-recording'),
    );
    await (all ? deleteRecordings(account) : deleteDiscarded(account));
  } catch {
    // The network failed, and logging out matters more. They're still here when their owner is back.
  }
}

async function forgetImportEdits(account: string): Promise<void> {
  const { forgetImport } = await loadCode(() => import('@/components/portability/imports/import-store'));
  await forgetImport(account);
}

/** Deletes the videos that other apps shared and that this account has opened. */
async function forgetShares(account: string): Promise<void> {
  const { deleteOldShares } = await loadCode(
    () => import('@/components/capture/uploads/shared/shared-store'),
  );
  await deleteOldShares(account);
}

/**
 * Ends the session, if there is one. Deletes what the account typed in this browser, the entries it kept, its unfinished
 * import, and files and changes that haven't been sent.
 * @param withRecordings whether to delete recordings, too, that aren't uploaded. Otherwise they stay until their owner is
 *   back.
 */
async function endSession(account: string | null, withRecordings: boolean): Promise<void> {
  clearAccountStorage();
  await deleteKept();
  if (account !== null && (await hasUploads(account))) {
    const { discardUploads } = await loadQueue();
    await discardUploads(account);
  }
  if (account !== null) await deleteUnsent(account, withRecordings);
  if (account !== null && isImporting()) {
    const { discardImport } = await loadCode(() => import('@/components/portability/imports/import-session'));
    await discardImport(account);
  }
  // Changes in a list of clips may be stored without an import. If the network fails, logging out matters more.
  if (account !== null)
    await Promise.allSettled([forgetImportEdits(account), forgetShares(account), forgetEdits(account)]);
  await call('GET /logout').catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: a failed logout is only logged (specification, 8)
    console.error('Logging out failed:', error);
  });
}

/**
 * Ends the session and goes to /login, even if that fails.
 * @param account the signed-in account, or null
 * @param isForeign whether another site may have linked here; then a button has to be pressed first
 */
export function SignOut({ account, isForeign }: { account: string | null; isForeign: boolean }) {
  const [question, setQuestion] = useState<Question | null>(isForeign ? { about: 'foreign' } : null);
  const [asked, setAsked] = useState<readonly Topic[]>([]);
  const [withRecordings, setWithRecordings] = useState(false);
  useEffect(() => {
    if (question) return;
    void (async () => {
      const next = await findQuestion(account, asked);
      if (next) return setQuestion(next);
      await Promise.all([endSession(account, withRecordings), waitMinLoadingTime()]);
      window.location.replace('/login');
    })();
  }, [question, asked, account, withRecordings]);
  function confirm() {
    if (question) setAsked([...asked, question.about]);
    setQuestion(null);
  }
  if (question) {
    return (
      <Suspense fallback={null}>
        <SignOutQuestion
          question={question}
          onConfirm={confirm}
          onDelete={() => {
            setWithRecordings(true);
            confirm();
          }}
        />
      </Suspense>
    );
  }
  return (
    <div role="status">
      <h1 className="heading text-[24px]">Logging out...</h1>
    </div>
  );
}
