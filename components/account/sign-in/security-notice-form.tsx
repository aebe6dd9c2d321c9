'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FormResult } from '@/components/ui/form-result';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { ExpiredLink } from './expired-link';

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

/** Uses a security email's link when its button is pressed. Opening the page changes nothing. */
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
  const [state, setState] = useState<'open' | 'expired' | 'done'>('open');
  const { form, busy } = useForm(async () => {
    await call('POST /security_notice/:uid/:token', { params: { uid, token } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'invalid_or_expired_link') setState('expired');
      throw error;
    });
    setState('done');
    return undefined;
  });
  const text = isDevice ? DEVICE : UNDO;
  if (state === 'expired') return <ExpiredLink />;
  if (state === 'done') {
    return (
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
        {text.done}
      </FormResult>
    );
  }
  return (
    <>
      <PageHeading lead={text.lead}>{heading}</PageHeading>
      <form {...form}>
        <Button type="submit" busy={busy} size="lg">
          {text.button}
        </Button>
      </form>
    </>
  );
}
