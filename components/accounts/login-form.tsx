'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { PasswordField } from '@/components/ui/password-field';
import { useForm } from '@/components/ui/use-form';
import { ApiError, api } from '@/lib/contract/client';
import type { AccountStatus } from '@/lib/contract/fields';
import { CodeField } from './code-field';
import { EmailField } from './email-field';

/** @param next a path of this site, checked by `nextPath` */
export function LoginForm({ next }: { next: string }) {
  const router = useRouter();
  const [codeAsked, setCodeAsked] = useState(false);
  const { form, busy, errors } = useForm(async ({ email, password, code }) => {
    const answer = await api<{ accountStatus: AccountStatus }>('POST', '/login', {
      body: { email, password, code },
    }).catch((error: unknown) => {
      // The password was right; to be asked for a code is no error.
      if (codeAsked || !(error instanceof ApiError) || !error.fields.code) throw error;
      return null;
    });
    if (!answer) {
      setCodeAsked(true);
      return undefined;
    }
    // A full navigation, so that every part of the page is rendered with the new cookies.
    window.location.assign(answer.accountStatus === 'VERIFIED' ? next : '/verify_email');
    return 'leaving';
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <EmailField autoComplete="username webauthn" error={errors.email} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        data-missing="Please enter your password."
        error={errors.password}
      />
      {codeAsked && <CodeField error={errors.code} />}
      <Button type="submit" busy={busy} size="lg">
        Login
      </Button>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button variant="secondary" onClick={() => router.push('/reset_password')}>
          Reset Password
        </Button>
        <Button variant="secondary" onClick={() => router.push('/signup')}>
          Signup
        </Button>
      </div>
    </form>
  );
}
