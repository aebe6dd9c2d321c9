import { TextField } from '@/components/ui/field';

/** An email field that password managers recognize. */
export function EmailField({
  label = 'Email',
  autoComplete = 'email',
  error,
}: {
  label?: string;
  autoComplete?: string;
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
      required
      data-missing="Enter your email address."
      error={error}
    />
  );
}
