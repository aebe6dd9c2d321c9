import { KeyRound } from 'lucide';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AlternativeSignIn } from '@/components/account/sign-in/alternative-sign-in';
import { LoginForm } from '@/components/account/sign-in/login-form';
import { ProviderError } from '@/components/account/sign-in/provider-error';
import { safeNextPath } from '@/components/account/sign-in/safe-next-path';
import { SetupLink } from '@/components/account/sign-in/setup-link';
import { Icon } from '@/components/ui/icon';
import { PageHeading } from '@/components/ui/page-heading';
import { isSignupOpen } from '@/lib/account/invitations/service';
import { providerNames } from '@/lib/account/providers/providers';
import { getCurrentUser } from '@/lib/account/sessions/guards';
import { offersSetup } from '@/lib/account/setup/service';
import { pathOnSite } from '@/lib/foundation/http/origin';

export const metadata: Metadata = { title: 'Login' };

const PASSKEY_ICON = <Icon of={KeyRound} aria-hidden className="size-5 shrink-0" />;

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
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
