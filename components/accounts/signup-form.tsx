'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import { useForm } from '@/components/ui/use-form';
import { login, register } from '@/lib/accounts/routes';
import { type Body, call } from '@/lib/contract/client';
import { EmailField } from './email-field';
import { FormResult } from './form-result';
import { NewPasswordField } from './new-password-field';
import { ResendVerification } from './resend-verification';

const GENDER_OPTIONS: readonly Body<typeof register>['gender'][] = [
  'male',
  'female',
  'non-binary',
  'prefer not to say',
];

/** Whom an invitation's link invites. */
export interface Invitation {
  token: string;
  email: string;
}

/**
 * @param heading shown until the form is sent
 * @param lastBirthday the latest allowed, as `YYYY-MM-DD`
 * @param invitation fixes the address
 */
export function SignupForm({
  heading,
  lastBirthday,
  invitation,
}: {
  heading: ReactNode;
  lastBirthday: string;
  invitation?: Invitation | undefined;
}) {
  const [sent, setSent] = useState(false);
  const { form, busy, errors } = useForm<Body<typeof register>>(async (values) => {
    const body = invitation ? { ...values, invite: invitation.token } : values;
    const { accountStatus } = await call(register, { body });
    if (accountStatus === 'NOT_VERIFIED') {
      setSent(true);
      return undefined;
    }
    // The invitation's email has verified the address. If this fails, there's still the login page.
    const { email, password } = values;
    const signedIn = await call(login, { body: { email, password } }).catch(() => null);
    window.location.assign(signedIn ? '/' : '/login');
    return 'leaving';
  });
  if (sent) {
    return (
      <FormResult then={<ResendVerification />}>
        Please check your email to finish verifying your account.
      </FormResult>
    );
  }
  return (
    <>
      {heading}
      <form {...form} className="flex flex-col gap-5">
        <EmailField error={errors.email} fixed={invitation?.email} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First name"
            name="firstName"
            autoComplete="given-name"
            maxLength={100}
            required
            data-missing="Enter your first name."
            error={errors.firstName}
          />
          <TextField
            label="Last name"
            name="lastName"
            autoComplete="family-name"
            maxLength={100}
            required
            data-missing="Enter your last name."
            error={errors.lastName}
          />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label="Gender"
            name="gender"
            autoComplete="sex"
            required
            defaultValue=""
            data-missing="Choose one."
            error={errors.gender}
          >
            <option value="" disabled>
              Choose one
            </option>
            {GENDER_OPTIONS.map((gender) => (
              <option key={gender}>{gender}</option>
            ))}
          </SelectField>
          <TextField
            label="Date of birth"
            name="dateOfBirth"
            type="date"
            autoComplete="bday"
            max={lastBirthday}
            required
            data-missing="Enter your date of birth."
            error={errors.dateOfBirth}
          />
        </div>
        <NewPasswordField label="Password" name="password" error={errors.password} />
        <Button type="submit" busy={busy} size="lg">
          Signup
        </Button>
      </form>
    </>
  );
}
