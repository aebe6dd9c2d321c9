import { pathAfterVerifying } from '@/components/account/sign-in/safe-next-path';
import { VerifyLink } from '@/components/account/sign-in/verify-link';
import { userIdOfLink } from '@/lib/account/passwords/links';
import { readRegisteredCookie } from '@/lib/account/registration/cookies';
import { getCurrentUser } from '@/lib/account/sessions/guards';

/** What both addresses of a verification link show. @param verified what to say once it's done */
export async function VerifyLinkScreen({
  uid,
  token,
  verified,
}: {
  uid: string;
  token: string;
  verified: string;
}) {
  const user = await getCurrentUser();
  const registered = await readRegisteredCookie();
  return (
    <VerifyLink
      uid={uid}
      token={token}
      verified={verified}
      account={user?.verified ? { email: user.email, isOwner: user.id === userIdOfLink(uid) } : null}
      next={pathAfterVerifying(registered?.next)}
      canResend={user !== null || registered !== null}
    />
  );
}
