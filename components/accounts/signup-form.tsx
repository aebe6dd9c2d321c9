'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import { useForm } from '@/components/ui/use-form';
import type { GENDERS } from '@/lib/accounts/contract';
import { api } from '@/lib/contract/client';
import { EmailField } from './email-field';
import { FormResult } from './form-result';
import { NewPasswordField } from './new-password-field';
import { ResendVerification } from './resend-verification';

const GENDER_OPTIONS: readonly (typeof GENDERS)[number][] = [
  'male',
  'female',
  'non-binary',
  'prefer not to say',
];

/**
 * @param heading what stands above until the form is sent
 * @param lastBirthday `YYYY-MM-DD`
 */
export function SignupForm({ heading, lastBirthday }: { heading: ReactNode; lastBirthday: string }) {
  const [sent, setSent] = useState(false);
  const { form, busy, errors } = useForm(async (values) => {
    await api('POST', '/register', { body: values });
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
            data-missing="Please enter your first name."
            error={errors.firstName}
          />
          <TextField
            label="Last name"
            name="lastName"
            autoComplete="family-name"
            maxLength={100}
            required
            data-missing="Please enter your last name."
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
            data-missing="Please choose one."
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
            data-missing="Please enter your date of birth."
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
