'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState, useTransition } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { isLinkExpired } from './link-prompt';
import { Outcome } from './outcome';
import { ResendVerification } from './resend-verification';
import { continueLabel, loginPath } from './safe-next-path';

const Address = ({ children }: { children: string }) => (
  <strong className="font-semibold break-words text-ink">{children}</strong>
);

/** The verified account that's signed in, and whether the link is its own. */
interface Account {
  email: string;
  isOwner: boolean;
}

/**
 * Says that the link verified an address, and leads on: to `destination` if this browser is signed in, else through
 * logging in.
 */
function Verified({
  heading,
  account,
  destination,
}: {
  heading: string;
  account: Account | null;
  destination: string;
}) {
  if (!account) {
    return (
      <Outcome heading={heading} text="Log in with the password you chose when you signed up.">
        <ButtonLink href={loginPath(destination)} size="lg">
          Log in
        </ButtonLink>
      </Outcome>
    );
  }
  if (account.isOwner) {
    return (
      <Outcome heading={heading} text="You’re signed in, and your journal is ready.">
        <ButtonLink href={destination} size="lg">
          {continueLabel(destination)}
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <Outcome
      heading={heading}
      text={
        <>
          This browser is signed in as <Address>{account.email}</Address>. To use the account you just
          verified, log out first.
        </>
      }
    >
      <ButtonLink href="/logout" prefetch={false} variant="secondary">
        Log out
      </ButtonLink>
    </Outcome>
  );
}

type State = 'done' | 'already' | 'used' | 'failed';

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
  account: Account | null;
  next: string;
  canResend: boolean;
}) {
  const router = useRouter();
  const [state, setState] = useState<State | undefined>(account?.isOwner ? 'already' : undefined);
  const [isRefreshing, startRefresh] = useTransition();
  // Verifying deletes the cookie that says so.
  const [destination] = useState(next);
  // The token works once, and React runs effects twice in development.
  const started = useRef(state !== undefined);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const shownLongEnough = waitMinLoadingTime();
    call('POST /verify_email/:uid/:token', { params: { uid, token } })
      .finally(() => shownLongEnough)
      .then(
        () => {
          setState('done');
          // The answer doesn't say whether it signed in, but the page rendered again does.
          startRefresh(() => router.refresh());
        },
        (error: unknown) => {
          const isUsed = isLinkExpired(error);
          if (isUsed && account) return setState('already');
          showError(error);
          setState(isUsed ? 'used' : 'failed');
        },
      );
  }, [uid, token, account, router]);

  if (state === undefined || isRefreshing) {
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
  if (state === 'done') return <Verified heading={verified} account={account} destination={destination} />;
  if (state === 'already' && account) {
    return (
      <Outcome
        heading="You’re already verified"
        text={
          <>
            You don’t need this link anymore. You’re signed in as <Address>{account.email}</Address>.
          </>
        }
      >
        <ButtonLink href="/" size="lg">
          Go to your journal
        </ButtonLink>
      </Outcome>
    );
  }
  if (state === 'failed') {
    return (
      <Outcome
        heading="We couldn’t verify your account yet"
        text="Something went wrong. Check your connection, then try again."
      >
        <Button size="lg" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </Outcome>
    );
  }
  return (
    <Outcome
      heading="We couldn’t verify your account with this link"
      text="Links work once, for 72 hours. If you’ve already used this one, your account is verified. Just log in."
    >
      <ButtonLink href={loginPath(destination)} size="lg">
        Log in
      </ButtonLink>
      {canResend ? (
        <>
          <p className="text-15 text-ink-2">Not verified yet? We can send you a new link.</p>
          <ResendVerification />
        </>
      ) : (
        <p className="text-15 text-ink-2">Not verified yet? Log in, and we can send you a new link.</p>
      )}
    </Outcome>
  );
}
