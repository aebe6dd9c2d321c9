import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const getStoryboard = operation({
  method: 'GET',
  path: '/entry/:id/storyboard',
  summary: 'Redirect to a signed storage URL of the video’s storyboard, a grid of small frames.',
  access: 'verified',
  params: z.object({ id }),
  produces: 'image/jpeg',
  status: 307,
  errors: ['not_found'],
});
