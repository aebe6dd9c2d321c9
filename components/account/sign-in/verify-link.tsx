'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { AlreadyVerified, LinkFailed, LinkUsed, Verified } from './verify-outcomes';

type Outcome = 'done' | 'already' | 'used' | 'failed';

/**
 * Verifies an email address with its emailed link. That happens by script, as soon as the page has loaded, so that a
 * scanner that only opens the link changes nothing. Every other emailed link waits for a button to be pressed.
 * @param verified what to say once it's done
 * @param account the verified account that's signed in, and whether the link is its own
 * @param next where to go after verifying
 * @param canResend whether this browser may request another email
 */
export function VerifyLink({
  uid,
  token,
  verified,
  account,
  next,
  canResend,
}: {
  uid: string;
  token: string;
  verified: string;
  account: { email: string; isOwner: boolean } | null;
  next: string;
  canResend: boolean;
}) {
  const router = useRouter();
  const [outcome, setOutcome] = useState<Outcome | undefined>(account?.isOwner ? 'already' : undefined);
  const [isRefreshing, startRefresh] = useTransition();
  // Verifying deletes the cookie that says so.
  const [destination] = useState(next);
  // The token works once, and React runs effects twice in development.
  const started = useRef(outcome !== undefined);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const shownLongEnough = waitMinLoadingTime();
    call('POST /verify_email/:uid/:token', { params: { uid, token } })
      .finally(() => shownLongEnough)
      .then(
        () => {
          setOutcome('done');
          // The answer doesn't say whether it signed in, but the page rendered again does.
          startRefresh(() => router.refresh());
        },
        (error: unknown) => {
          const isUsed = error instanceof ApiError && error.code === 'invalid_or_expired_link';
          if (isUsed && account) return setOutcome('already');
          showError(error);
          setOutcome(isUsed ? 'used' : 'failed');
        },
      );
  }, [uid, token, account, router]);

  if (outcome === undefined || isRefreshing) {
    return (
      <div role="status" className="flex flex-col gap-5">
        <h1 className="heading text-[24px]">Trying to verify...</h1>
        <p className="text-ink-2">
          This takes a second. If you signed up in this browser, you’ll be signed in as well, and you can
          record your first entry right away.
        </p>
      </div>
    );
  }
  if (outcome === 'done')
    return (
      <Verified account={account} destination={destination}>
        {verified}
      </Verified>
    );
  if (outcome === 'already' && account) return <AlreadyVerified email={account.email} />;
  if (outcome === 'failed') return <LinkFailed />;
  return <LinkUsed canResend={canResend} destination={destination} />;
}
