'use client';

import { useState } from 'react';
import { EmailField } from '@/components/account/sign-in/email-field';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import { readProof, type StepUpValues } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

export function ChangeEmailForm({ factors }: { factors: Factors }) {
  const [sentTo, setSentTo] = useState('');
  const { form, busy, errors } = useForm<StepUpValues & { email: string }>(async ({ email, ...values }) => {
    await call('POST /email_change', { body: { email, ...(await readProof(values)) } });
    setSentTo(email.trim());
    return undefined;
  });
  return (
    <form {...form} key={sentTo} className="flex flex-col gap-5">
      <EmailField label="New email" error={errors.email} />
      <StepUpFields factors={factors} errors={errors} />
      <Button type="submit" busy={busy} className="self-start">
        Change email
      </Button>
      <p role="status" className="text-15 text-ok empty:hidden">
        {sentTo && `We sent a link to ${sentTo}. Open it in this browser to confirm the change.`}
      </p>
    </form>
  );
}
