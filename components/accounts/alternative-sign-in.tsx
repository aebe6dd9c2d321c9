import { KeyRound } from 'lucide-react';
import type { ProviderName } from '@/lib/identities/contract';
import { PasskeyButton } from './passkey-button';
import { ProviderButton } from './provider-button';

const PROVIDER_NAMES: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };

/** What stands below the login form: the ways in that need no password. */
export function AlternativeSignIn({ next, providers }: { next: string; providers: ProviderName[] }) {
  return (
    <section aria-label="Other ways to sign in" className="flex flex-col gap-3 border-t border-line pt-6">
      {providers.map((provider) => (
        <ProviderButton key={provider} {...{ provider, next }}>
          Continue with {PROVIDER_NAMES[provider]}
        </ProviderButton>
      ))}
      <PasskeyButton next={next}>
        <KeyRound aria-hidden className="size-5 shrink-0" />
        Sign in with a passkey
      </PasskeyButton>
    </section>
  );
}
