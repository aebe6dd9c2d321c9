'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { type Body, call } from '@/lib/api/shared/client';
import { isLinkExpired } from './link-prompt';
import { NewPasswordField } from './new-password-field';
import { Outcome } from './outcome';

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

/** Sets a new password with the emailed link. */
export function NewPasswordForm({ uidb64, token }: { uidb64: string; token: string }) {
  const [state, setState] = useState<'open' | 'expired' | 'done'>('open');
  const { form, busy, errors } = useForm<Body<'POST /reset/:uidb64/:token'>>(async (body) => {
    await call('POST /reset/:uidb64/:token', { params: { uidb64, token }, body }).catch((error: unknown) => {
      if (isLinkExpired(error)) setState('expired');
      throw error;
    });
    setState('done');
    return undefined;
  });
  if (state === 'done') {
    return (
      // A plain link, because every session of the account was just signed out.
      <Outcome
        heading="Your password has been reset."
        text="If you use passkeys, Google, or GitHub, turn them back on in Settings, under Security."
      >
        <a href="/login" className={LINK}>
          Log in with your new password
        </a>
      </Outcome>
    );
  }
  return (
    <>
      <PageHeading lead="This signs you out everywhere and turns off passkeys and connected accounts until you turn them back on.">
        Set a new password
      </PageHeading>
      <form {...form} className="flex flex-col gap-5">
        <NewPasswordField label="New Password" name="newPassword" error={errors.newPassword} />
        <Button type="submit" busy={busy} size="lg">
          Submit
        </Button>
      </form>
      {state === 'expired' && (
        <p className="text-15 text-ink-2">
          Links work once, for one hour.{' '}
          <Link href="/reset_password" className={LINK}>
            Get a new link
          </Link>
        </p>
      )}
    </>
  );
}
