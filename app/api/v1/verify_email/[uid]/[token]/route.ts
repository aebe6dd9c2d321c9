import { verifyEmail as contract } from '@/lib/accounts/contract';
import { clearRegisteredCookie, readRegisteredCookie } from '@/lib/accounts/cookies';
import { verifyEmail } from '@/lib/accounts/verification';
import { endpoint } from '@/lib/api/endpoint';
import { userIdOfLink } from '@/lib/credentials/links';
import { clientOf } from '@/lib/http/client-address';
import { readSessionCookies, setSessionCookies } from '@/lib/sessions/cookies';
import { authenticate } from '@/lib/sessions/service';

export const POST = endpoint(contract, async ({ params, request }) => {
  const user = await authenticate((await readSessionCookies()).access);
  const registration = await readRegisteredCookie();
  const client = clientOf(request.headers);
  const { accountStatus, tokens } = await verifyEmail(params.uid, params.token, {
    registration,
    user,
    client,
  });
  if (tokens) await setSessionCookies(tokens);
  if (registration?.accountIds.includes(userIdOfLink(params.uid) ?? '')) await clearRegisteredCookie();
  return { accountStatus };
});
