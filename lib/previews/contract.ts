import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const getStoryboard = operation({
  method: 'GET',
  path: '/entry/:id/storyboard',
  summary: 'Small pictures of the whole video in one, by a redirect to a signed address in storage.',
  access: 'verified',
  params: z.object({ id }),
  produces: 'image/jpeg',
  status: 307,
  errors: ['not_found'],
});
