import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { createTag, listTags } from '@/lib/journal/tags/service';

export const GET = endpoint(contract.listTags, async ({ user }) => ({ categories: await listTags(user.id) }));

export const POST = endpoint(contract.createTag, ({ user, body }) =>
  createTag(user.id, body.category_name, body.category_color),
);
