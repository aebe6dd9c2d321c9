'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { loadCode } from '@/components/ui/load-code';
import type { ProviderName } from '@/lib/account/providers/contract';
import { PROVIDER_LABELS } from './provider-labels';

interface Destination {
  /** A path of this site to go to after signing in. */
  next: string;
}

/** Signs in with a provider. Its code loads when the button is pressed. */
function ProviderButton({ provider, next }: Destination & { provider: ProviderName }) {
  const [busy, setBusy] = useState(false);
  async function signIn() {
    setBusy(true);
    const { redirectToProvider } = await loadCode(() => import('./redirect-to-provider'));
    if (!(await redirectToProvider(provider, next))) setBusy(false);
  }
  return (
    <Button variant="secondary" busy={busy} onClick={signIn}>
      Continue with {PROVIDER_LABELS[provider]}
    </Button>
  );
}

const loadPasskeys = () => loadCode(() => import('./passkey-sign-in'));

/** Signs in with a passkey. Its code loads after the page, since most people don't need it. */
function PasskeyButton({ next, icon }: Destination & { icon: ReactNode }) {
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void loadPasskeys().then(({ startPasskeyAutofill }) => startPasskeyAutofill(next));
  }, [next]);
  async function signIn() {
    setBusy(true);
    if (!(await (await loadPasskeys()).authenticateWithPasskey(next))) setBusy(false);
  }
  return (
    <Button variant="secondary" busy={busy} onClick={signIn}>
      {icon}
      Sign in with a passkey
    </Button>
  );
}

/**
 * The ways to sign in without a password, below the login form.
 * @param passkeyIcon drawn on the server, where it costs no script
 */
export function AlternativeSignIn({
  next,
  providers,
  passkeyIcon,
}: Destination & { providers: ProviderName[]; passkeyIcon: ReactNode }) {
  return (
    <section aria-label="Other ways to sign in" className="flex flex-col gap-3 border-t border-line pt-6">
      {providers.map((provider) => (
        <ProviderButton key={provider} provider={provider} next={next} />
      ))}
      <PasskeyButton next={next} icon={passkeyIcon} />
    </section>
  );
}
