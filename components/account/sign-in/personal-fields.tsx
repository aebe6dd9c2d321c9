import { useId } from 'react';
import { TextField } from '@/components/ui/field';
import { SelectField } from '@/components/ui/select-field';
import type { Body } from '@/lib/api/shared/client';

const GENDER_OPTIONS: readonly Body<'POST /register'>['gender'][] = [
  'male',
  'female',
  'non-binary',
  'prefer not to say',
];

/** Asks for gender and date of birth, and says what they're for. @param lastBirthday the latest allowed, as `YYYY-MM-DD` */
export function PersonalFields({
  errors,
  lastBirthday,
}: {
  errors: Partial<Record<string, string>>;
  lastBirthday: string;
}) {
  const id = useId();
  return (
    <fieldset aria-label="About you" aria-describedby={id} className="flex flex-col gap-2">
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
      <p id={id} className="text-14 text-pretty text-ink-2">
        Gender and date of birth are stored with your account and included when you export everything. They
        aren’t shown to anyone else or used for anything else.
      </p>
    </fieldset>
  );
}
