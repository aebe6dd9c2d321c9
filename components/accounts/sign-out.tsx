'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { clearAccountStorage, getDeviceSetting } from '@/components/ui/browser-storage';
import { Button, ButtonLink } from '@/components/ui/button';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { PageHeading } from '@/components/ui/page-heading';
import {
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  uploadQueueStore,
} from '@/components/uploads/queue/upload-queue-store';
import { api } from '@/lib/contract/client';

async function hasUploads(account: string): Promise<boolean> {
  if (uploadQueueStore.get().some(isActiveUpload)) return true;
  if (getDeviceSetting(INTERRUPTED_UPLOADS_KEY) !== account) return false;
  const { listStoredUploads } = await import('@/components/uploads/queue/upload-store');
  return (await listStoredUploads(account)).length > 0;
}

/**
 * Ends the session, whether or not there's one. What the account typed leaves this browser, and so do files whose
 * upload isn't done. Recordings stay until their owner is back.
 */
async function endSession(account: string | null): Promise<void> {
  clearAccountStorage();
  if (account !== null && (await hasUploads(account))) {
    const { discardUploads } = await import('@/components/uploads/queue/queue');
    await discardUploads(account);
  }
  await api('GET', '/logout').catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: a failed logout is logged and nothing else (specification, 8)
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
 * Ends the session and goes to /login, whatever comes of it.
 * @param account the one that's signed in, or null
 * @param isForeign whether another site may have led here: then the person has to press a button first
 */
export function SignOut({ account, isForeign }: { account: string | null; isForeign: boolean }) {
  const [question, setQuestion] = useState<'foreign' | 'uploads' | null>(isForeign ? 'foreign' : null);
  const [sure, setSure] = useState(false);
  useEffect(() => {
    if (question) return;
    void (async () => {
      if (!sure && account !== null && (await hasUploads(account))) return setQuestion('uploads');
      await Promise.all([endSession(account), waitMinLoadingTime()]);
      window.location.replace('/login');
    })();
  }, [question, sure, account]);
  if (question === 'foreign') {
    return (
      <SignOutPrompt lead="You may have come here from another site.">
        <Button onClick={() => setQuestion(null)}>Logout</Button>
      </SignOutPrompt>
    );
  }
  if (question === 'uploads') {
    const confirm = () => {
      setSure(true);
      setQuestion(null);
    };
    return (
      <SignOutPrompt lead="An upload isn't finished. Logging out cancels it. Recordings stay on this device until you're back.">
        <Button onClick={confirm}>Cancel upload and log out</Button>
        <ButtonLink href="/upload" variant="secondary">
          Keep uploading
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
