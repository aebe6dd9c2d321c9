import { z } from 'zod';
import { done, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const profile = z
  .object({
    first_name: z.string().meta({ example: 'Ada' }),
    last_name: z.string().meta({ example: 'Lovelace' }),
    email: z.string().meta({ format: 'email' }),
  })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof profile>;

export const getProfile = operation({
  method: 'GET',
  path: '/profile_details',
  summary: 'Get the profile',
  description: 'Returns the account’s name and email address.',
  access: 'verified',
  response: profile,
  errors: [],
});

export const updateProfile = operation({
  method: 'POST',
  path: '/profile_details',
  summary: 'Update the profile',
  description: 'Changes the first and last name. The email address has an operation of its own.',
  access: 'verified',
  body: z.object({
    firstName: text(100, 'Enter your first name.').meta({ example: 'Ada' }),
    lastName: text(100, 'Enter your last name.').meta({ example: 'Lovelace' }),
  }),
  response: profile,
  errors: ['validation_failed'],
});

/** What an empty journal offers: optional first steps, and the sample entry. */
const onboardingStep = z.enum(['question', 'reminder', 'words', 'sample']).meta({ example: 'reminder' });
export type OnboardingStep = z.infer<typeof onboardingStep>;

const settings = z.object({
  transcriptionLanguage: z.string().meta({ example: 'Detected automatically' }),
  compressionType: z.string().meta({ example: 'H.264 (MP4)' }),
});
export type VideoSettings = z.infer<typeof settings>;

export const videoSettings = operation({
  method: 'GET',
  path: '/video_settings',
  summary: 'Get video settings',
  description: 'Returns how videos are transcribed and compressed. It’s the same for every account.',
  access: 'verified',
  response: settings,
  errors: [],
});

export const dismissStep = operation({
  method: 'POST',
  path: '/onboarding/dismiss',
  summary: 'Dismiss a first step',
  description: 'Stops offering a step to the account’s owner. Repeating it has no effect.',
  access: 'verified',
  body: z.object({ step: onboardingStep }),
  response: done,
  errors: ['validation_failed'],
});

export const restoreStep = operation({
  method: 'POST',
  path: '/onboarding/restore',
  summary: 'Restore a first step',
  description: 'Brings back a step that the account’s owner dismissed. Repeating it has no effect.',
  access: 'verified',
  body: z.object({ step: onboardingStep }),
  response: done,
  errors: ['validation_failed'],
});
