import { TextField } from '@/components/ui/field';

/** Asks for a first and a last name. The form puts them next to each other. */
export function NameFields({ errors }: { errors: Partial<Record<string, string>> }) {
  return (
    <>
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
    </>
  );
}
