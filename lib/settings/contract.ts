import { z } from 'zod';
import { text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

const profile = z.object({ first_name: z.string(), last_name: z.string(), email: z.string() });
export type Profile = z.infer<typeof profile>;

export const getProfile = operation({
  method: 'GET',
  path: '/profile_details',
  summary: 'Get the account’s name and email address.',
  access: 'verified',
  response: profile,
  errors: [],
});

export const updateProfile = operation({
  method: 'POST',
  path: '/profile_details',
  summary: 'Update the first and last name.',
  access: 'verified',
  body: z.object({
    firstName: text(100, 'Enter your first name.'),
    lastName: text(100, 'Enter your last name.'),
  }),
  response: profile,
  errors: ['validation_failed'],
});

const settings = z.object({ transcriptionLanguage: z.string(), compressionType: z.string() });
export type VideoSettings = z.infer<typeof settings>;

export const videoSettings = operation({
  method: 'GET',
  path: '/video_settings',
  summary: 'Get how videos are transcribed and compressed.',
  access: 'verified',
  response: settings,
  errors: [],
});
