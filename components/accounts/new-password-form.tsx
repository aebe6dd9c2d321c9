'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { ApiError, api } from '@/lib/contract/client';
import { FormResult } from './form-result';
import { NewPasswordField } from './new-password-field';

/** Sets a new password with the link of the mail. */
export function NewPasswordForm({ uid, token }: { uid: string; token: string }) {
  const [state, setState] = useState<'open' | 'spent' | 'done'>('open');
  const { form, busy, errors } = useForm(async ({ newPassword }) => {
    const path = `/reset/${encodeURIComponent(uid)}/${encodeURIComponent(token)}`;
    await api('POST', path, { body: { newPassword } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'invalid_or_expired_link') setState('spent');
      throw error;
    });
    setState('done');
    return undefined;
  });
  if (state === 'done') {
    return (
      // A plain link, because every session of the account has just been signed out.
      <FormResult
        then={
          <>
            <p className="text-ink-2">
              If you use passkeys, Google or GitHub, turn them back on in Settings, under Security.
            </p>
            <a href="/login" className="font-semibold text-accent-ink underline underline-offset-4">
              Log in with the new password
            </a>
          </>
        }
      >
        Your password has been reset.
      </FormResult>
    );
  }
  return (
    <>
      <PageHeading lead="This signs you out everywhere, and turns off passkeys and connected accounts until you turn them back on.">
        Set a new password
      </PageHeading>
      <form {...form} className="flex flex-col gap-5">
        <NewPasswordField label="New Password" name="newPassword" error={errors.newPassword} />
        <Button type="submit" busy={busy} size="lg">
          Submit
        </Button>
      </form>
      {state === 'spent' && (
        <p className="text-15 text-ink-2">
          A link works once and for one hour.{' '}
          <Link href="/reset_password" className="font-semibold text-accent-ink underline underline-offset-4">
            Ask for a new link
          </Link>
        </p>
      )}
    </>
  );
}
