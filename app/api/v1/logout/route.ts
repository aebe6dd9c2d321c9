import { endpoint } from '@/lib/api/endpoint';
import { logout } from '@/lib/sessions/contract';
import { clearSessionCookies, readSessionCookies } from '@/lib/sessions/cookies';
import { endSession } from '@/lib/sessions/service';

export const GET = endpoint(logout, async () => {
  await endSession(await readSessionCookies());
  await clearSessionCookies();
  return {};
});
