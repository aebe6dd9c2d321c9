import { endpoint } from '@/lib/api/endpoint';
import { createTag as createContract, listTags as listContract } from '@/lib/journal/tags/contract';
import { createTag, listTags } from '@/lib/journal/tags/service';

export const GET = endpoint(listContract, async ({ user }) => ({ categories: await listTags(user.id) }));

export const POST = endpoint(createContract, ({ user, body }) =>
  createTag(user.id, body.category_name, body.category_color),
);
