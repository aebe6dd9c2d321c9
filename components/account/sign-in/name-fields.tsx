import { TextField } from '@/components/ui/field';

const FIELDS = [
  { name: 'firstName', label: 'First name', autoComplete: 'given-name', missing: 'Enter your first name.' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name', missing: 'Enter your last name.' },
] as const;

/** Asks for a first and a last name. The form puts them next to each other. @param present to change them */
export function NameFields({
  errors,
  present,
}: {
  errors: Partial<Record<string, string>>;
  present?: { firstName: string; lastName: string };
}) {
  return FIELDS.map(({ name, missing, ...field }) => (
    <TextField
      key={name}
      {...field}
      name={name}
      defaultValue={present?.[name]}
      maxLength={100}
      required
      data-missing={missing}
      error={errors[name]}
    />
  ));
}
