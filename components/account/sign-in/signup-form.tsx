'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { lazyComponent } from '@/components/ui/load-code';
import { useForm } from '@/components/ui/use-form';
import { type Body, call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { EmailField } from './email-field';
import { NameFields } from './name-fields';
import { NewPasswordField } from './new-password-field';
import { PersonalFields } from './personal-fields';
import { loginPath } from './safe-next-path';

const SignupResult = lazyComponent(() => import('./signup-result'), 'SignupResult');

/** Whom an invitation's link invites. */
export interface Invitation {
  token: string;
  email: string;
}

/** Puts an address into the bar without loading its page, which a reload then does. */
const showAddress = (path: string) => window.history.replaceState(null, '', path);

/**
 * @param heading shown until the form is sent
 * @param agreement what signing up agrees to
 * @param lastBirthday the latest allowed, as `YYYY-MM-DD`
 * @param next a page of the journal to go to after verifying
 * @param invitation fixes the address
 * @param mistyped the address that its owner came back to correct
 */
export function SignupForm({
  heading,
  agreement,
  lastBirthday,
  next,
  invitation,
  mistyped,
}: {
  heading: ReactNode;
  agreement: ReactNode;
  lastBirthday: string;
  next: string;
  invitation?: Invitation | undefined;
  mistyped?: string | undefined;
}) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isCorrecting, setCorrecting] = useState(mistyped !== undefined);
  const { form, busy, errors } = useForm<Body<'POST /register'>>(async (values) => {
    const body = invitation ? { ...values, next, invite: invitation.token } : { ...values, next };
    const { accountStatus } = await call('POST /register', { body });
    if (accountStatus === 'NOT_VERIFIED') {
      setCorrecting(false);
      setSentTo(values.email.trim());
      showAddress('/verify_email');
      return undefined;
    }
    // The invitation's email has verified the address. If this fails, there's still the login page.
    const { email, password } = values;
    const signedIn = await call('POST /login', { body: { email, password } }).catch(logRejected);
    window.location.assign(signedIn ? next : loginPath(next));
    return 'leaving';
  });
  const formRef = form.ref;
  useEffect(() => {
    if (!isCorrecting) return;
    const field = formRef.current?.querySelector<HTMLInputElement>('input[name=email]');
    field?.focus();
    field?.select();
  }, [isCorrecting, formRef]);

  function correct() {
    setSentTo(null);
    setCorrecting(true);
    showAddress('/signup');
  }

  return (
    <>
      {sentTo !== null && (
        <Suspense fallback={null}>
          <SignupResult email={sentTo} next={next} onCorrect={invitation ? null : correct} />
        </Suspense>
      )}
      {/* Hidden instead of removed, so that what was typed is still there for correcting the address. */}
      <div hidden={sentTo !== null} className="flex flex-col gap-6">
        {heading}
        <form {...form} className="flex flex-col gap-5">
          <EmailField error={errors.email} initial={mistyped} fixed={invitation?.email} />
          <div className="grid gap-5 sm:grid-cols-2">
            <NameFields errors={errors} />
          </div>
          <PersonalFields errors={errors} lastBirthday={lastBirthday} />
          {/* A password doesn't stay in the page once it's sent. */}
          <NewPasswordField key={sentTo} label="Password" name="password" error={errors.password} />
          <Button type="submit" busy={busy} size="lg">
            Signup
          </Button>
          {agreement}
        </form>
      </div>
    </>
  );
}
