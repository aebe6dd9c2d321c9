import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entry } from './contract';

const one = z.object({ id });

export const getVideo = operation({
  method: 'GET',
  path: '/entry/:id/video',
  summary: 'Get a video',
  description: 'Redirects to a signed storage URL of the playable video, which supports range requests.',
  access: 'verified',
  params: one,
  produces: 'video/mp4 or video/webm',
  status: 307,
  errors: ['not_found'],
});

export const getSmallVideo = operation({
  method: 'GET',
  path: '/entry/:id/video/small',
  summary: 'Get a small video',
  description:
    'Redirects to a signed storage URL of a smaller version of the video: 480p and 0.7 Mbit/s at most, with the same timing. Only videos above 4 Mbit/s, or above 1080p at 30 frames a second, have one. It’s made after the video is ready.',
  access: 'verified',
  params: one,
  produces: 'video/mp4',
  status: 307,
  errors: ['not_found'],
});

export const retryVideo = operation({
  method: 'POST',
  path: '/entry/:id/video/retry',
  summary: 'Retry a video',
  description: 'Processes a video again that couldn’t be processed.',
  access: 'verified',
  params: one,
  response: entry,
  status: 202,
  errors: ['not_found', 'conflict'],
});

export const getThumbnail = operation({
  method: 'GET',
  path: '/entry/:id/thumbnail',
  summary: 'Get a thumbnail',
  description: 'Redirects to a signed storage URL of a JPEG.',
  access: 'verified',
  params: one,
  produces: 'image/jpeg',
  status: 307,
  errors: ['not_found'],
});
