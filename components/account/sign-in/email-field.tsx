import { TextField } from '@/components/ui/field';

/** An email field that password managers recognize. */
export function EmailField({
  label = 'Email',
  autoComplete = 'email',
  initial,
  fixed,
  error,
}: {
  label?: string;
  autoComplete?: string;
  /** What's in the field at first. */
  initial?: string | undefined;
  /** The address of an invitation, which can't be changed. */
  fixed?: string | undefined;
  error: string | undefined;
}) {
  return (
    <TextField
      label={label}
      name="email"
      type="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      defaultValue={initial}
      {...(fixed !== undefined && {
        defaultValue: fixed,
        readOnly: true,
        hint: 'Your invitation is for this address.',
      })}
      required
      data-missing="Enter your email address."
      error={error}
    />
  );
}
