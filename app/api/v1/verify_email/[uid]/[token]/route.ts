import { verifyEmail as contract } from '@/lib/accounts/contract';
import { verifyEmail } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract, ({ params }) => verifyEmail(params.uid, params.token));
