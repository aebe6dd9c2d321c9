import * as contract from '@/lib/account/setup/contract';
import { checkSetupCode } from '@/lib/account/setup/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.checkSetupCode, ({ body, client }) =>
  checkSetupCode(body.code, client),
);
