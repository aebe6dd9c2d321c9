import { endpoint } from '@/lib/api/endpoint';
import { logout } from '@/lib/account/sessions/contract';
import { clearSessionCookies, readSessionCookies } from '@/lib/account/sessions/cookies';
import { endSession } from '@/lib/account/sessions/service';

export const GET = endpoint(logout, async () => {
  await endSession(await readSessionCookies());
  await clearSessionCookies();
  return {};
});
