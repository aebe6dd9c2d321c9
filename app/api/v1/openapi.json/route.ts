import { endpoint } from '@/lib/http/endpoint';
import { openApiDocument } from '@/lib/http/openapi';
import { openApi } from '@/lib/http/openapi-contract';

export const GET = endpoint(openApi, () => openApiDocument());
