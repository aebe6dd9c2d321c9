'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/contract/client';

/** Sends the verification mail again and says that it did. */
export function ResendVerification() {
  const [sent, setSent] = useState(false);
  const { form, busy } = useForm(async () => {
    setSent(false);
    await api('POST', '/resend_verification_email');
    setSent(true);
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col items-start gap-4">
      <Button type="submit" busy={busy} variant="secondary">
        Resend Verification
      </Button>
      <p role="status" className="text-15 text-ok empty:hidden">
        {sent && 'An email was sent. If it is not there in a minute, please look in your spam folder too.'}
      </p>
    </form>
  );
}
