import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

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

export const getWaveform = operation({
  method: 'GET',
  path: '/entry/:id/waveform',
  summary: 'Get a waveform',
  description: 'Returns how loud the video is over its length.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({
    waveform: z.string().nullable().meta({
      description:
        'Base64 of a byte for each of equally long stretches: the loudest it gets, 0 to 255. Null if there’s none yet.',
      example: 'AAQgYMCAQBAA',
    }),
  }),
  errors: ['not_found'],
});
