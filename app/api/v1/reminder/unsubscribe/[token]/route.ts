import { endpoint } from '@/lib/api/endpoint';
import { env } from '@/lib/foundation/env';
import { openUnsubscribePage, unsubscribe as unsubscribeContract } from '@/lib/reminders/contract';
import { unsubscribePath } from '@/lib/reminders/links';
import { unsubscribe } from '@/lib/reminders/service';

export const GET = endpoint(
  openUnsubscribePage,
  ({ params }) =>
    new Response(null, { status: 307, headers: { location: env().APP_URL + unsubscribePath(params.token) } }),
);
export const POST = endpoint(unsubscribeContract, async ({ params }) => {
  await unsubscribe(params.token);
  return {};
});
