'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import { useForm } from '@/components/ui/use-form';
import { register } from '@/lib/accounts/routes';
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

/**
 * @param heading shown until the form is sent
 * @param lastBirthday the latest allowed, as `YYYY-MM-DD`
 */
export function SignupForm({ heading, lastBirthday }: { heading: ReactNode; lastBirthday: string }) {
  const [sent, setSent] = useState(false);
  const { form, busy, errors } = useForm<Body<typeof register>>(async (body) => {
    await call(register, { body });
    setSent(true);
    return undefined;
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
        <EmailField error={errors.email} />
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
