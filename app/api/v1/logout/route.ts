import { endpoint } from '@/lib/api/endpoint';
import { clearSessionCookies, readSessionCookies } from '@/lib/http/cookies';
import { logout } from '@/lib/sessions/contract';
import { endSession } from '@/lib/sessions/service';

export const GET = endpoint(logout, async () => {
  await endSession(await readSessionCookies());
  await clearSessionCookies();
  return {};
});
