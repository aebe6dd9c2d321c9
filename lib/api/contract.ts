import { z } from 'zod';
import { operation } from '@/lib/contract/operation';

export const openApi = operation({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this document.',
  access: 'public',
  response: z.record(z.string(), z.unknown()),
  errors: [],
});
