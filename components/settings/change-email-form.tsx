'use client';

import { useState } from 'react';
import { EmailField } from '@/components/accounts/email-field';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/http/client';
import { OwnerField } from './current-password-field';

export function ChangeEmailForm({ hasPassword }: { hasPassword: boolean }) {
  const [sentTo, setSentTo] = useState('');
  const { form, busy, errors } = useForm(async ({ email = '', currentPassword }) => {
    await api('POST', '/email_change', { body: { email, currentPassword } });
    setSentTo(email.trim());
    return undefined;
  });
  return (
    <form {...form} key={sentTo} className="flex flex-col gap-5">
      <EmailField label="New email" error={errors.email} />
      <OwnerField hasPassword={hasPassword} error={errors.currentPassword} />
      <Button type="submit" busy={busy} className="self-start">
        Change email
      </Button>
      <p role="status" className="text-15 text-ok empty:hidden">
        {sentTo && `We have sent a link to ${sentTo}. Open it in this browser to confirm the change.`}
      </p>
    </form>
  );
}
