'use client';

import Link from 'next/link';
import { FormResult } from '@/components/ui/form-result';
import { PageHeading } from '@/components/ui/page-heading';
import { call } from '@/lib/api/shared/client';
import { LinkPrompt } from './link-prompt';

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

const DEVICE = {
  lead: 'If this wasn’t you, sign that device out. Nothing changes until you confirm.',
  button: 'Sign out this device',
  done: 'That device is signed out.',
};

const UNDO = {
  lead: 'If this wasn’t you, undo it. That also undoes every change made since, and signs out every device. Nothing changes until you confirm.',
  button: 'Undo and secure my account',
  done: 'We undid the change and signed out every device.',
};

/** Says that a security email's link no longer works, and what to do instead. */
export function ExpiredLink() {
  return (
    <>
      <PageHeading lead="Links work once, for 72 hours, and stop working if an earlier change is undone.">
        This link is no longer valid
      </PageHeading>
      <p className="text-15 text-ink-2">
        If you think someone else is using your account,{' '}
        <Link href="/reset_password" className={LINK}>
          reset your password
        </Link>{' '}
        now.
      </p>
    </>
  );
}

/** Uses a security email's link when its button is pressed. */
export function SecurityNoticeForm({
  uid,
  token,
  heading,
  isDevice,
}: {
  uid: string;
  token: string;
  heading: string;
  isDevice: boolean;
}) {
  const { lead, button, done } = isDevice ? DEVICE : UNDO;
  return (
    <LinkPrompt
      heading={heading}
      lead={lead}
      button={button}
      onConfirm={() => call('POST /security_notice/:uid/:token', { params: { uid, token } })}
      expired={<ExpiredLink />}
      done={
        // Plain links, because this browser's session may be one of those that just ended.
        <FormResult
          then={
            <p className="text-15 text-ink-2">
              If someone else might know your password,{' '}
              <a href="/reset_password" className={LINK}>
                reset it
              </a>{' '}
              now. Otherwise,{' '}
              <a href="/login" className={LINK}>
                log in
              </a>
              .
            </p>
          }
        >
          {done}
        </FormResult>
      }
    />
  );
}
