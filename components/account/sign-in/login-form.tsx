'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { PasswordField } from '@/components/ui/password-field';
import { useForm } from '@/components/ui/use-form';
import { type Body, call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { CodeField } from './code-field';
import { EmailField } from './email-field';

/**
 * @param next a path of this site, checked by `safeNextPath`
 * @param offersSignup whether anyone can sign up
 */
export function LoginForm({ next, offersSignup }: { next: string; offersSignup: boolean }) {
  const router = useRouter();
  const [codeAsked, setCodeAsked] = useState(false);
  const { form, busy, errors } = useForm<Body<'POST /login'>>(async (body) => {
    const answer = await call('POST /login', { body }).catch((error: unknown) => {
      // The password was right, so asking for a code isn't an error.
      if (codeAsked || !(error instanceof ApiError) || !error.fields.code) throw error;
      return null;
    });
    if (!answer) {
      setCodeAsked(true);
      return undefined;
    }
    // A full page load, so that everything is rendered with the new cookies.
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
        data-missing="Enter your password."
        error={errors.password}
      />
      {codeAsked && <CodeField error={errors.code} />}
      <Button type="submit" busy={busy} size="lg">
        Login
      </Button>
      <div className={`grid gap-3 ${offersSignup ? 'sm:grid-cols-2' : ''}`}>
        <Button variant="secondary" onClick={() => router.push('/reset_password')}>
          Reset Password
        </Button>
        {offersSignup && (
          <Button
            variant="secondary"
            onClick={() => router.push(next === '/' ? '/signup' : `/signup?next=${encodeURIComponent(next)}`)}
          >
            Signup
          </Button>
        )}
      </div>
    </form>
  );
}

/** Asks for the second factor of a sign-in with a provider. @param next a path of this site */
export function CodeForm({ next }: { next: string }) {
  const { form, busy, errors } = useForm<Body<'POST /login/code'>>(async (body) => {
    await call('POST /login/code', { body });
    window.location.assign(next);
    return 'leaving';
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <CodeField error={errors.code} />
      <Button type="submit" busy={busy} size="lg">
        Login
      </Button>
    </form>
  );
}
