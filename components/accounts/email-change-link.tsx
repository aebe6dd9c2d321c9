'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/components/ui/error-message';
import { PageHeading } from '@/components/ui/page-heading';
import { toast } from '@/components/ui/toast';
import { ApiError, api } from '@/lib/contract/client';
import type { EmailChange } from '@/lib/security/service';
import { FormResult } from './form-result';

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

const EXPIRED = (
  <FormResult
    then={
      <p className="text-ink-2">
        A link works once and for 24 hours. You can ask for a new one in Settings, under Security.
      </p>
    }
  >
    We could not change your email address with this link
  </FormResult>
);

const CHANGED = (
  // A plain link: the whole page has to be rendered with the new state of the account.
  <FormResult
    then={
      <a href="/" className={LINK}>
        Go to your journal
      </a>
    }
  >
    Your email address has been changed.
  </FormResult>
);

const REJECTED = (
  <FormResult
    then={
      <p className="text-ink-2">Your address wasn’t added to that journal. There’s nothing else to do.</p>
    }
  >
    Thanks. That link no longer works.
  </FormResult>
);

/** An explanation with one button, and what comes of pressing it. @param path of the operation, below `/api/v1` */
function ConfirmationPrompt({
  heading,
  children,
  button,
  path,
  done,
  variant,
}: {
  heading: string;
  children: ReactNode;
  button: string;
  path: string;
  done: ReactNode;
  variant: 'primary' | 'secondary';
}) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ReactNode>();

  async function press() {
    setBusy(true);
    try {
      await api('POST', path);
      setOutcome(done);
    } catch (error) {
      toast.error(errorMessage(error));
      if (error instanceof ApiError && error.code === 'invalid_or_expired_link') setOutcome(EXPIRED);
    }
    setBusy(false);
  }

  if (outcome) return outcome;
  return (
    <>
      <PageHeading>{heading}</PageHeading>
      <div className="flex flex-col items-start gap-5 text-ink-2">
        {children}
        <Button size="lg" variant={variant} busy={busy} onClick={press}>
          {button}
        </Button>
      </div>
    </>
  );
}

/**
 * The page of an emailed link that changes an address: confirms the change where it was asked for, and explains it
 * anywhere else. Nothing happens until a button is pressed.
 * @param path of the link's operation, below `/api/v1`
 */
export function EmailChangeLink({ change, path }: { change: EmailChange; path: string }) {
  if (change.state === 'invalid') return EXPIRED;
  if (change.state === 'here') {
    return (
      <ConfirmationPrompt
        heading="Confirm your new email"
        button="Confirm new address"
        {...{ path, done: CHANGED, variant: 'primary' }}
      >
        <p>
          Once you confirm, you’ll log in with{' '}
          <strong className="font-semibold break-words text-ink">{change.email}</strong>, and that’s where our
          emails will go.
        </p>
      </ConfirmationPrompt>
    );
  }
  return (
    <ConfirmationPrompt
      heading="Open this link where you asked for the change"
      button="This wasn’t me"
      path={`${path}/reject`}
      done={REJECTED}
      variant="secondary"
    >
      <p>
        Someone asked to use your email address for their journal. If that was you, open this link in the
        browser where you asked for the change. If you’ve logged out there since, ask again in Settings, under
        Security.
      </p>
      <p>Didn’t ask for this? Select “This wasn’t me”, and the link stops working.</p>
    </ConfirmationPrompt>
  );
}
