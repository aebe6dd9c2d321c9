'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { resendVerificationEmail } from '@/lib/accounts/routes';
import { call } from '@/lib/contract/client';

/** Sends the verification email again. */
export function ResendVerification() {
  const [sent, setSent] = useState(false);
  const { form, busy } = useForm(async () => {
    setSent(false);
    await call(resendVerificationEmail);
    setSent(true);
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col items-start gap-4">
      <Button type="submit" busy={busy} variant="secondary">
        Resend Verification
      </Button>
      <p role="status" className="text-15 text-ok empty:hidden">
        {sent && 'An email was sent. If it doesn’t arrive within a minute, check your spam folder.'}
      </p>
    </form>
  );
}
