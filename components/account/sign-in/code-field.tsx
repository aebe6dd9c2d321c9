import { TextField } from '@/components/ui/field';

/**
 * Asks for a code from the authenticator app, or a recovery code.
 * @param autoFocus turn off where the form asks for other things first
 */
export function CodeField({ error, autoFocus = true }: { error: string | undefined; autoFocus?: boolean }) {
  return (
    <TextField
      label="Code"
      hint="From your authenticator app, or one of your recovery codes."
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={64}
      required
      autoFocus={autoFocus}
      data-missing="Enter the code."
      error={error}
    />
  );
}
