import { TextField } from '@/components/ui/field';

interface NameFieldsProps {
  errors: Partial<Record<string, string>>;
  /** The present names, to change them. */
  firstName?: string;
  lastName?: string;
}

/** Asks for a first and a last name. The form puts them next to each other. */
export function NameFields({ errors, firstName, lastName }: NameFieldsProps) {
  return (
    <>
      <TextField
        label="First name"
        name="firstName"
        autoComplete="given-name"
        defaultValue={firstName}
        maxLength={100}
        required
        data-missing="Enter your first name."
        error={errors.firstName}
      />
      <TextField
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        defaultValue={lastName}
        maxLength={100}
        required
        data-missing="Enter your last name."
        error={errors.lastName}
      />
    </>
  );
}
