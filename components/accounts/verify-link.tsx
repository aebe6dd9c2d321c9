'use client';

import { useEffect, useRef, useState } from 'react';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { showError } from '@/components/ui/show-error';
import { verifyEmail } from '@/lib/accounts/routes';
import { call } from '@/lib/contract/client';
import { FormResult } from './form-result';
import { ResendVerification } from './resend-verification';

/**
 * Verifies an email address with its emailed link. That happens by script, as soon as the page has loaded, so that a
 * scanner that only opens the link changes nothing. Every other emailed link waits for a button to be pressed.
 * @param verified what to say once it's done
 */
export function VerifyLink({ uid, token, verified }: { uid: string; token: string; verified: string }) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
  // The token works once, and React runs effects twice in development.
  const started = useRef(false);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const shownLongEnough = waitMinLoadingTime();
    call(verifyEmail, { params: { uid, token } })
      .finally(() => shownLongEnough)
      .then(
        () => setOutcome('done'),
        (error: unknown) => {
          showError(error);
          setOutcome('failed');
        },
      );
  }, [uid, token]);

  if (outcome === 'done') {
    // A plain link, so that the whole page is rendered with the account's new state.
    return (
      <FormResult
        then={
          <a
            href="/"
            className="inline-flex min-h-13 items-center rounded-pill bg-accent px-6 text-15 font-semibold text-on-accent hover:bg-accent-hover"
          >
            Go to your journal
          </a>
        }
      >
        {verified}
      </FormResult>
    );
  }
  if (outcome === 'failed') {
    return (
      <FormResult
        then={
          <>
            <p className="text-ink-2">
              Links work once, for 72 hours. If you’ve already verified your account, just log in. If not, we
              can send you a new link.
            </p>
            <ResendVerification />
          </>
        }
      >
        We couldn’t verify your account with this link
      </FormResult>
    );
  }
  return (
    <div role="status">
      <h1 className="heading text-[24px]">Trying to verify...</h1>
    </div>
  );
}
