import { TextField } from '@/components/ui/field';

/** For the second factor. It takes the focus: whoever sees it has just signed in so far, and waits for it. */
export function CodeField({ error }: { error: string | undefined }) {
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
      autoFocus
      data-missing="Please enter the code."
      error={error}
    />
  );
}
