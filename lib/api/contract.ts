import { z } from 'zod';
import { operation } from '@/lib/foundation/contract/operation';

export const openApi = operation({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this document',
  description: 'Describes every operation under `/api/v1` in OpenAPI 3.1.',
  access: 'public',
  response: z.record(z.string(), z.unknown()).meta({ example: { openapi: '3.1.0' } }),
  errors: [],
});
