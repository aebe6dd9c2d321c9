import * as contract from '@/lib/account/sessions/contract';
import { clearSessionCookies, readSessionCookies } from '@/lib/account/sessions/cookies';
import { endSession } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.logout, async () => {
  await endSession(await readSessionCookies());
  await clearSessionCookies();
});
