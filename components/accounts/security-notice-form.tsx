'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { ApiError, api } from '@/lib/contract/client';
import { ExpiredLink } from './expired-link';
import { FormResult } from './form-result';

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

const DEVICE = {
  lead: "If this wasn't you, sign that device out. Nothing changes until you press the button.",
  button: 'Sign out this device',
  done: 'That device is signed out.',
};

const UNDO = {
  lead: "If this wasn't you, undo it. That also undoes every change made since, and signs out every device. Nothing changes until you press the button.",
  button: 'Undo and secure my account',
  done: 'The change was undone, and every device is signed out.',
};

/** Uses the link of a security email once its button is pressed; opening the page changes nothing. */
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
  const [state, setState] = useState<'open' | 'spent' | 'done'>('open');
  const { form, busy } = useForm(async () => {
    const path = `/security_notice/${encodeURIComponent(uid)}/${encodeURIComponent(token)}`;
    await api('POST', path).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'invalid_or_expired_link') setState('spent');
      throw error;
    });
    setState('done');
    return undefined;
  });
  const text = isDevice ? DEVICE : UNDO;
  if (state === 'spent') return <ExpiredLink />;
  if (state === 'done') {
    return (
      // Plain links, because the session of this browser may be one of those that just ended.
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
