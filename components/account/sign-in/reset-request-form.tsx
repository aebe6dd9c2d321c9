'use client';

import { useState } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';
import { useForm } from '@/components/ui/use-form';
import { type Body, call } from '@/lib/api/shared/client';
import { EmailField } from './email-field';
import { Outcome } from './outcome';

export function ResetRequestForm() {
  const [sentTo, setSentTo] = useState('');
  const { form, busy, errors } = useForm<Body<'POST /reset_password'>>(async (body) => {
    await call('POST /reset_password', { body });
    setSentTo(body.email.trim());
    return undefined;
  });
  if (sentTo) {
    return (
      <Outcome
        heading={`An email has been sent out to ${sentTo} with a link to reset the password.`}
        text="The link works for one hour."
      >
        <ButtonLink href="/login" variant="secondary">
          Back to login
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <>
      <PageHeading lead="Enter your account’s email address, and we’ll send you a link to set a new one.">
        Forgot your password?
      </PageHeading>
      <form {...form} className="flex flex-col gap-5">
        <EmailField error={errors.email} />
        <Button type="submit" busy={busy} size="lg">
          Reset Password
        </Button>
      </form>
    </>
  );
}
