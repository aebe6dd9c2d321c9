'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { EmailField } from '@/components/account/sign-in/email-field';
import { NewPasswordField } from '@/components/account/sign-in/new-password-field';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { call } from '@/lib/api/shared/client';
import { type Factors, readProof, StepUpFields, type StepUpValues } from './step-up-form';

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

/** @param email lets the password manager save the new password under it */
export function ChangePasswordForm({ email, factors }: { email: string; factors: Factors }) {
  const router = useRouter();
  const [changes, setChanges] = useState(0);
  const { form, busy, errors } = useForm<StepUpValues & { newPassword: string }>(
    async ({ newPassword, ...values }) => {
      await call('POST /password', { body: { newPassword, ...(await readProof(values)) } });
      toast.success('Password changed.');
      setChanges(changes + 1);
      router.refresh();
      return undefined;
    },
  );
  return (
    // A new key clears the fields.
    <form {...form} key={changes} className="flex flex-col gap-5">
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <StepUpFields factors={factors} errors={errors} />
      <NewPasswordField label="New Password" name="newPassword" error={errors.newPassword} />
      <Button type="submit" busy={busy} className="self-start">
        Change password
      </Button>
    </form>
  );
}
