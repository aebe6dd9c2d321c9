import { expect, it } from 'vitest';
import { VIDEO_TYPES } from '@/lib/journal/entries/shared/video-types';
import { VIDEO_ACCEPT } from './video-accept';

it('offers every video by its extension, whether or not the browser knows its type', () => {
  const extensions = [...VIDEO_TYPES.keys()].map((extension) => `.${extension}`);
  expect(VIDEO_ACCEPT.split(',')).toEqual(['video/*', ...extensions]);
});
