'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FormResult } from '@/components/ui/form-result';
import { PageHeading } from '@/components/ui/page-heading';
import { showError } from '@/components/ui/show-error';
import type { EmailChange } from '@/lib/account/security/service';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

const EXPIRED = (
  <FormResult
    then={
      <p className="text-ink-2">
        Links work once, for 24 hours. You can get a new one in Settings, under Security.
      </p>
    }
  >
    We couldn’t change your email address with this link
  </FormResult>
);

const CHANGED = (
  // A plain link, so that the whole page is rendered with the account's new state.
  <FormResult
    then={
      <a href="/" className={LINK}>
        Go to your journal
      </a>
    }
  >
    Your email address was changed.
  </FormResult>
);

const REJECTED = (
  <FormResult
    then={
      <p className="text-ink-2">
        Your address wasn’t added to that journal. There’s nothing else you need to do.
      </p>
    }
  >
    Thanks. That link no longer works.
  </FormResult>
);

/** An explanation with one button, replaced by the outcome once it's pressed. */
function ConfirmationPrompt({
  heading,
  children,
  button,
  onConfirm,
  done,
  variant,
}: {
  heading: string;
  children: ReactNode;
  button: string;
  onConfirm: () => Promise<unknown>;
  done: ReactNode;
  variant: 'primary' | 'secondary';
}) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ReactNode>();

  async function press() {
    setBusy(true);
    try {
      await onConfirm();
      setOutcome(done);
    } catch (error) {
      showError(error);
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
 * Confirms a change of address from its emailed link, in the browser that asked for it. Anywhere else, explains the
 * link and offers to reject the change. Nothing happens until a button is pressed.
 */
export function EmailChangeLink({ change, uid, token }: { change: EmailChange; uid: string; token: string }) {
  if (change.state === 'invalid') return EXPIRED;
  if (change.state === 'here') {
    return (
      <ConfirmationPrompt
        heading="Confirm your new email"
        button="Confirm new address"
        onConfirm={() => call('POST /email_change/:uid/:token', { params: { uid, token } })}
        done={CHANGED}
        variant="primary"
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
      onConfirm={() => call('POST /email_change/:uid/:token/reject', { params: { uid, token } })}
      done={REJECTED}
      variant="secondary"
    >
      <p>
        Someone asked to use your email address for their journal. If that was you, open this link in the
        browser where you asked for the change. If you’ve logged out there since, ask again in Settings, under
        Security.
      </p>
      <p>Didn’t ask for this? Select “This wasn’t me,” and the link stops working.</p>
    </ConfirmationPrompt>
  );
}
