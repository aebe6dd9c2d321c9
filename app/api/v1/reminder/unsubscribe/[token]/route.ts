import { endpoint } from '@/lib/api/endpoint';
import { env } from '@/lib/foundation/env';
import * as contract from '@/lib/reminders/contract';
import { unsubscribePath } from '@/lib/reminders/links';
import { unsubscribe } from '@/lib/reminders/service';

export const GET = endpoint(
  contract.openUnsubscribePage,
  ({ params }) =>
    new Response(null, { status: 307, headers: { location: env().APP_URL + unsubscribePath(params.token) } }),
);
export const POST = endpoint(contract.unsubscribe, ({ params }) => unsubscribe(params.token));
