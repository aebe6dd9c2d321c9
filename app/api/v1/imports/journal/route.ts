import { endpoint } from '@/lib/api/endpoint';
import { importJournal as importContract } from '@/lib/imports/contract';
import { importJournal } from '@/lib/imports/journal';

export const POST = endpoint(importContract, async ({ user, body }) => {
  await importJournal(user.id, body);
  return {};
});
