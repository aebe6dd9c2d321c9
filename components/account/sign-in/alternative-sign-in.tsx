'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { loadCode } from '@/components/ui/load-code';
import type { ProviderName } from '@/lib/account/providers/contract';
import { PROVIDER_LABELS } from '@/lib/account/providers/shared/provider-labels';

const loadPasskeys = () => loadCode(() => import('./passkey-sign-in'));

/** Signs in another way. Stays busy while that leads to another page. */
function SignInButton({
  signIn,
  children,
}: {
  signIn: () => Promise<'leaving' | undefined>;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  async function press() {
    setBusy(true);
    if (!(await signIn())) setBusy(false);
  }
  return (
    <Button variant="secondary" busy={busy} onClick={press}>
      {children}
    </Button>
  );
}

/**
 * The ways to sign in without a password, below the login form. Their code loads when it's needed: most people don't.
 * @param next a path of this site to go to after signing in
 * @param passkeyIcon drawn on the server, where it costs no script
 */
export function AlternativeSignIn({
  next,
  providers,
  passkeyIcon,
}: {
  next: string;
  providers: ProviderName[];
  passkeyIcon: ReactNode;
}) {
  useEffect(() => {
    void loadPasskeys().then(({ startPasskeyAutofill }) => startPasskeyAutofill(next));
  }, [next]);
  async function redirect(provider: ProviderName) {
    const { redirectToProvider } = await loadCode(() => import('./redirect-to-provider'));
    return redirectToProvider(provider, next);
  }
  return (
    <section aria-label="Other ways to sign in" className="flex flex-col gap-3 border-t border-line pt-6">
      {providers.map((provider) => (
        <SignInButton key={provider} signIn={() => redirect(provider)}>
          Continue with {PROVIDER_LABELS[provider]}
        </SignInButton>
      ))}
      <SignInButton signIn={async () => (await loadPasskeys()).authenticateWithPasskey(next)}>
        {passkeyIcon}
        Sign in with a passkey
      </SignInButton>
    </section>
  );
}
