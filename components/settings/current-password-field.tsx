import { PasswordField } from '@/components/ui/password-input';

/** The password that the account has now. */
export function CurrentPasswordField({ error }: { error: string | undefined }) {
  return (
    <PasswordField
      label="Current password"
      name="currentPassword"
      autoComplete="current-password"
      required
      data-missing="Please enter your current password."
      error={error}
    />
  );
}

/** What is asked for before anything that could shut the owner out; an account without a password has to be fresh. */
export function OwnerField({ hasPassword, error }: { hasPassword: boolean; error: string | undefined }) {
  if (hasPassword) return <CurrentPasswordField error={error} />;
  return (
    <p className={`text-15 ${error ? 'text-danger' : 'text-ink-2'}`} role={error ? 'alert' : undefined}>
      {error ?? 'As you have no password, this works within ten minutes of signing in.'}
    </p>
  );
}
