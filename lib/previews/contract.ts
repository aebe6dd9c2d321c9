import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const getStoryboard = operation({
  method: 'GET',
  path: '/entry/:id/storyboard',
  summary: 'Get a storyboard',
  description: 'Redirects to a signed storage URL of a JPEG: a grid of small frames from the video.',
  access: 'verified',
  params: z.object({ id }),
  produces: 'image/jpeg',
  status: 307,
  errors: ['not_found'],
});
