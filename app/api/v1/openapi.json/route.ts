import * as contract from '@/lib/api/contract';
import { endpoint } from '@/lib/api/endpoint';
import { openApiDocument } from '@/lib/api/openapi';

export const GET = endpoint(contract.openApi, () => openApiDocument());
