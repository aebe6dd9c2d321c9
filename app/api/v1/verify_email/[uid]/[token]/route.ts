import { userIdOfLink } from '@/lib/account/passwords/links';
import * as contract from '@/lib/account/registration/contract';
import { clearRegisteredCookie, readRegisteredCookie } from '@/lib/account/registration/cookies';
import { verifyEmail } from '@/lib/account/registration/verification';
import { readSessionCookies, setSessionCookies } from '@/lib/account/sessions/cookies';
import { authenticate } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.verifyEmail, async ({ params, client }) => {
  const user = await authenticate((await readSessionCookies()).access);
  const registration = await readRegisteredCookie();
  const { accountStatus, tokens } = await verifyEmail(params.uid, params.token, {
    registration,
    user,
    client,
  });
  if (tokens) await setSessionCookies(tokens);
  if (registration?.accountIds.includes(userIdOfLink(params.uid) ?? '')) await clearRegisteredCookie();
  return { accountStatus };
});
