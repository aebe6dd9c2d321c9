import { endpoint } from '@/lib/api/endpoint';
import { importJournal as importContract } from '@/lib/portability/imports/archive/contract';
import { importJournal } from '@/lib/portability/imports/archive/journal';

export const POST = endpoint(importContract, async ({ user, body }) => {
  await importJournal(user.id, body);
  return {};
});
