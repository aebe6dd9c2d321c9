const MESSAGES: Record<string, string> = {
  closed: 'Sign-up is closed on this site.',
  uninvited: 'You need an invitation to sign up on this site. Ask the site’s administrator for one.',
  disabled: 'This account is turned off. Contact the site’s administrator.',
  unverified:
    'We couldn’t sign you in because your email address there isn’t verified. Verify it there first, then try again.',
  taken: 'Your journal is already connected to a different account with that provider. Sign in another way.',
  off: 'That way of signing in is turned off for your journal. Log in another way, then turn it back on in Settings, under Security.',
};

/** Says why signing in with a provider failed. @param error the code in the address */
export function ProviderError({ error }: { error: string }) {
  return (
    <p role="alert" className="rounded-12 border border-danger px-4 py-3 text-15 text-danger">
      {MESSAGES[error] ?? 'Sign-in was canceled or didn’t work. Try again.'}
    </p>
  );
}
