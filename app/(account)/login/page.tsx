import { KeyRound } from 'lucide';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AlternativeSignIn } from '@/components/accounts/alternative-sign-in';
import { LoginForm } from '@/components/accounts/login-form';
import { ProviderError } from '@/components/accounts/provider-error';
import { safeNextPath } from '@/components/accounts/safe-next-path';
import { SetupLink } from '@/components/accounts/setup-link';
import { Icon } from '@/components/ui/icon';
import { PageHeading } from '@/components/ui/page-heading';
import { pathOnSite } from '@/lib/http/origin';
import { providerNames } from '@/lib/identities/providers';
import { isSignupOpen } from '@/lib/invitations/service';
import { getCurrentUser } from '@/lib/sessions/guards';
import { offersSetup } from '@/lib/setup/service';

export const metadata: Metadata = { title: 'Login' };

const PASSKEY_ICON = <Icon of={KeyRound} aria-hidden className="size-5 shrink-0" />;

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next: asked, callbackUrl, error } = await searchParams;
  // `callbackUrl` is next-auth's, after signing in with a provider failed.
  const next = safeNextPath(asked ?? (typeof callbackUrl === 'string' ? pathOnSite(callbackUrl) : undefined));
  if ((await getCurrentUser())?.verified) redirect(next);
  return (
    <>
      <PageHeading>Welcome back</PageHeading>
      {typeof error === 'string' && <ProviderError error={error} />}
      <LoginForm next={next} offersSignup={isSignupOpen()} />
      <AlternativeSignIn next={next} providers={providerNames()} passkeyIcon={PASSKEY_ICON} />
      {(await offersSetup()) && <SetupLink />}
    </>
  );
}
