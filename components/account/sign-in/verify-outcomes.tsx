'use client';

import type { ReactNode } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { FormResult } from '@/components/ui/form-result';
import { continueLabel } from './after-verifying';
import { ResendVerification } from './resend-verification';

const loginPath = (destination: string) => `/login?next=${encodeURIComponent(destination)}`;

const Address = ({ children }: { children: string }) => (
  <strong className="font-semibold break-words text-ink">{children}</strong>
);

/**
 * Says that the link verified an address, and leads on: to `destination` if this browser is signed in, else through
 * logging in.
 */
export function Verified({
  account,
  destination,
  children,
}: {
  account: { email: string; isOwner: boolean } | null;
  destination: string;
  children: string;
}) {
  let then: ReactNode;
  if (account?.isOwner) {
    then = (
      <>
        <p className="text-ink-2">You’re signed in, and your journal is ready.</p>
        <ButtonLink href={destination} size="lg">
          {continueLabel(destination)}
        </ButtonLink>
      </>
    );
  } else if (account) {
    then = (
      <>
        <p className="text-ink-2">
          This browser is signed in as <Address>{account.email}</Address>. To use the account you just
          verified, log out first.
        </p>
        <ButtonLink href="/logout" prefetch={false} variant="secondary">
          Log out
        </ButtonLink>
      </>
    );
  } else {
    then = (
      <>
        <p className="text-ink-2">Log in with the password you chose when you signed up.</p>
        <ButtonLink href={loginPath(destination)} size="lg">
          Log in
        </ButtonLink>
      </>
    );
  }
  return <FormResult then={then}>{children}</FormResult>;
}

/** Says that there's nothing left to do. */
export function AlreadyVerified({ email }: { email: string }) {
  return (
    <FormResult
      then={
        <>
          <p className="text-ink-2">
            You don’t need this link anymore. You’re signed in as <Address>{email}</Address>.
          </p>
          <ButtonLink href="/" size="lg">
            Go to your journal
          </ButtonLink>
        </>
      }
    >
      You’re already verified
    </FormResult>
  );
}

/** Says that a link was probably used before, and what to do in either case. */
export function LinkUsed({ canResend, destination }: { canResend: boolean; destination: string }) {
  return (
    <FormResult
      then={
        <>
          <p className="text-ink-2">
            Links work once, for 72 hours. If you’ve already used this one, your account is verified. Just log
            in.
          </p>
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
        </>
      }
    >
      We couldn’t verify your account with this link
    </FormResult>
  );
}

/** Says that the link couldn't be tried, such as without a connection. */
export function LinkFailed() {
  return (
    <FormResult
      then={
        <>
          <p className="text-ink-2">Something went wrong. Check your connection, then try again.</p>
          <Button size="lg" onClick={() => window.location.reload()}>
            Try again
          </Button>
        </>
      }
    >
      We couldn’t verify your account yet
    </FormResult>
  );
}
