import { TextField } from '@/components/ui/field';

/**
 * Asks for the second factor.
 * @param autoFocus for a form that appears only to ask for it
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
      data-missing="Please enter the code."
      error={error}
    />
  );
}
