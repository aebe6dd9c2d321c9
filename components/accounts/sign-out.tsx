'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { isImporting } from '@/components/imports/import-state';
import { clearAccountStorage, getDeviceSetting } from '@/components/ui/browser-storage';
import { Button, ButtonLink } from '@/components/ui/button';
import { loadCode } from '@/components/ui/load-code';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { PageHeading } from '@/components/ui/page-heading';
import { loadQueue } from '@/components/uploads/queue/load-queue';
import {
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  uploadQueueStore,
} from '@/components/uploads/queue/upload-queue-store';
import { call } from '@/lib/contract/client';
import { logout } from '@/lib/sessions/routes';

async function hasUploads(account: string): Promise<boolean> {
  if (uploadQueueStore.get().some(isActiveUpload)) return true;
  if (getDeviceSetting(INTERRUPTED_UPLOADS_KEY) !== account) return false;
  const { listStoredUploads } = await loadCode(() => import('@/components/uploads/queue/upload-store'));
  return (await listStoredUploads(account)).length > 0;
}

type Question = 'foreign' | 'uploads' | 'import';

/** Returns what logging out would cancel, and hasn't been asked about. */
async function findQuestion(account: string | null, asked: readonly Question[]): Promise<Question | null> {
  if (account === null) return null;
  if (!asked.includes('uploads') && (await hasUploads(account))) return 'uploads';
  return !asked.includes('import') && isImporting() ? 'import' : null;
}

async function forgetImportEdits(account: string): Promise<void> {
  try {
    const { forgetImport } = await loadCode(() => import('@/components/imports/import-store'));
    await forgetImport(account);
  } catch {
    // The network failed, and logging out matters more.
  }
}

/**
 * Ends the session, if there is one. Deletes what the account typed in this browser, its unfinished import, and files that
 * haven't finished uploading. Recordings stay until their owner is back.
 */
async function endSession(account: string | null): Promise<void> {
  clearAccountStorage();
  if (account !== null && (await hasUploads(account))) {
    const { discardUploads } = await loadQueue();
    await discardUploads(account);
  }
  if (account !== null && isImporting()) {
    const { discardImport } = await loadCode(() => import('@/components/imports/import-session'));
    await discardImport(account);
  }
  // Changes in a list of clips may be stored without an import.
  if (account !== null) await forgetImportEdits(account);
  await call(logout).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: a failed logout is only logged (specification, 8)
    console.error('Logging out failed:', error);
  });
}

function SignOutPrompt({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <>
      <PageHeading lead={lead}>Do you want to log out?</PageHeading>
      <div className="flex flex-wrap gap-3">{children}</div>
    </>
  );
}

/**
 * Ends the session and goes to /login, even if that fails.
 * @param account the signed-in account, or null
 * @param isForeign whether another site may have linked here; then a button has to be pressed first
 */
export function SignOut({ account, isForeign }: { account: string | null; isForeign: boolean }) {
  const [question, setQuestion] = useState<Question | null>(isForeign ? 'foreign' : null);
  const [asked, setAsked] = useState<readonly Question[]>([]);
  useEffect(() => {
    if (question) return;
    void (async () => {
      const next = await findQuestion(account, asked);
      if (next) return setQuestion(next);
      await Promise.all([endSession(account), waitMinLoadingTime()]);
      window.location.replace('/login');
    })();
  }, [question, asked, account]);
  function confirm() {
    if (question) setAsked([...asked, question]);
    setQuestion(null);
  }
  if (question === 'foreign') {
    return (
      <SignOutPrompt lead="A link on another site may have sent you here.">
        <Button onClick={confirm}>Log out</Button>
      </SignOutPrompt>
    );
  }
  if (question === 'uploads') {
    return (
      <SignOutPrompt lead="An upload isn’t finished, and logging out cancels it. Recordings stay on this device until you log back in.">
        <Button onClick={confirm}>Cancel upload and log out</Button>
        <ButtonLink href="/upload" variant="secondary">
          Keep uploading
        </ButtonLink>
      </SignOutPrompt>
    );
  }
  if (question === 'import') {
    return (
      <SignOutPrompt lead="An import isn’t finished, and logging out stops it. Entries it has already imported stay in your journal.">
        <Button onClick={confirm}>Stop importing and log out</Button>
        <ButtonLink href="/upload/import" variant="secondary">
          Keep importing
        </ButtonLink>
      </SignOutPrompt>
    );
  }
  return (
    <div role="status">
      <h1 className="heading text-[24px]">Logging out...</h1>
    </div>
  );
}
