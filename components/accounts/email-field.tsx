import { TextField } from '@/components/ui/field';

/** The mail address of an account, as password managers know it. */
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
      data-missing="Please enter your email address."
      error={error}
    />
  );
}
