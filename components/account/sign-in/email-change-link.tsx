'use client';

import { FormResult } from '@/components/ui/form-result';
import type { EmailChange } from '@/lib/account/security/service';
import { call } from '@/lib/api/shared/client';
import { LinkPrompt } from './link-prompt';
import { Outcome } from './outcome';

const EXPIRED = (
  <Outcome
    heading="We couldn’t change your email address with this link"
    text="Links work once, for 24 hours. You can get a new one in Settings, under Security."
  />
);

const CHANGED = (
  // A plain link, so that the whole page is rendered with the account's new state.
  <FormResult
    then={
      <a href="/" className="font-semibold text-accent-ink underline underline-offset-4">
        Go to your journal
      </a>
    }
  >
    Your email address was changed.
  </FormResult>
);

const REJECTED = (
  <Outcome
    heading="Thanks. That link no longer works."
    text="Your address wasn’t added to that journal. There’s nothing else you need to do."
  />
);

/**
 * Confirms a change of address from its emailed link, in the browser that asked for it. Anywhere else, explains the
 * link and offers to reject the change. Nothing happens until a button is pressed.
 */
export function EmailChangeLink({ change, uid, token }: { change: EmailChange; uid: string; token: string }) {
  if (change.state === 'invalid') return EXPIRED;
  if (change.state === 'here') {
    return (
      <LinkPrompt
        heading="Confirm your new email"
        button="Confirm new address"
        onConfirm={() => call('POST /email_change/:uid/:token', { params: { uid, token } })}
        done={CHANGED}
        expired={EXPIRED}
      >
        <p>
          Once you confirm, you’ll log in with{' '}
          <strong className="font-semibold break-words text-ink">{change.email}</strong>, and that’s where our
          emails will go.
        </p>
      </LinkPrompt>
    );
  }
  return (
    <LinkPrompt
      heading="Open this link where you asked for the change"
      button="This wasn’t me"
      onConfirm={() => call('POST /email_change/:uid/:token/reject', { params: { uid, token } })}
      done={REJECTED}
      expired={EXPIRED}
      variant="secondary"
    >
      <p>
        Someone asked to use your email address for their journal. If that was you, open this link in the
        browser where you asked for the change. If you’ve logged out there since, ask again in Settings, under
        Security.
      </p>
      <p>Didn’t ask for this? Select “This wasn’t me,” and the link stops working.</p>
    </LinkPrompt>
  );
}
