const MESSAGES: Record<string, string> = {
  unverified:
    'We could not sign you in, because your address there is not verified. Please verify it there first.',
  taken: 'Your journal is connected to another account there already. Please sign in another way.',
  off: 'That way of signing in is turned off for your journal. Log in with your password or another way, then turn it back on in Settings, under Security.',
};

/** Why a sign-in at a provider has come back without one. @param error what the address says */
export function ProviderError({ error }: { error: string }) {
  return (
    <p role="alert" className="rounded-12 border border-danger px-4 py-3 text-15 text-danger">
      {MESSAGES[error] ?? 'Signing in there was cancelled or did not work. Please try again.'}
    </p>
  );
}
