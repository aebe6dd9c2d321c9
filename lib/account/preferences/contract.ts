import { z } from 'zod';
import { timeZoneName } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { DATE_FORMATS } from '@/lib/journal/entries/shared/date-format';

/** How to show Daylight: as the device is set, or always light or dark. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const theme = z.enum(THEMES, 'Choose a theme.').meta({ example: 'dark' });
const firstWeekday = z
  .enum(['sunday', 'monday', 'saturday'], 'Choose a day.')
  .meta({ description: 'The first day of the week in calendars.', example: 'monday' });
const dateFormat = z.enum(DATE_FORMATS, 'Choose a date format.').meta({
  description: 'How dates are shown, except where people type them and on the cards of entries.',
  example: 'MMM D, YYYY',
});

const preferences = z
  .object({
    theme,
    timeZone: z.string().nullable().meta({
      example: 'America/New_York',
      description: 'A name from the IANA time zone database. Null follows the browser.',
    }),
    firstWeekday,
    dateFormat,
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof preferences>;

export const getPreferences = operation({
  method: 'GET',
  path: '/preferences',
  summary: 'Get preferences',
  description: 'Returns how the account’s owner wants to see Daylight.',
  access: 'verified',
  response: preferences,
  errors: [],
});

export const updatePreferences = operation({
  method: 'POST',
  path: '/preferences',
  summary: 'Update preferences',
  description:
    'Changes the preferences that are sent and leaves the others. The weekly letter moves to a chosen time zone.',
  access: 'verified',
  body: z.object({ theme, timeZone: timeZoneName.nullable(), firstWeekday, dateFormat }).partial(),
  response: preferences,
  errors: ['validation_failed'],
});
