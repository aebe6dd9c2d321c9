import { clearSessionCookies, readSessionCookies } from '@/lib/http/cookies';
import { endpoint } from '@/lib/http/endpoint';
import { logout } from '@/lib/sessions/contract';
import { endSession } from '@/lib/sessions/service';

export const GET = endpoint(logout, async () => {
  await endSession(await readSessionCookies());
  await clearSessionCookies();
  return {};
});
