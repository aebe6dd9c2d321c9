import { z } from 'zod';
import { done, timeZoneName } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const hour = { example: 20, description: 'From 0 to 23, in the reminder’s time zone.' };

const enabled = z.boolean().meta({ example: true });
const chosenTimeZone = z.string().nullable().meta({
  example: 'America/New_York',
  description: 'A name from the IANA time zone database. Null until it has been chosen.',
});

const reminder = z
  .object({
    enabled,
    hour: z.int().meta(hour),
    timeZone: chosenTimeZone,
    nextAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the next one is due; null while reminders are off.' }),
  })
  .meta({ id: 'Reminder' });
export type Reminder = z.infer<typeof reminder>;

export const getReminder = operation({
  method: 'GET',
  path: '/reminder',
  summary: 'Get the reminder',
  description: 'Returns whether and when an email reminds the account’s owner to record an entry.',
  access: 'verified',
  response: reminder,
  errors: [],
});

export const updateReminder = operation({
  method: 'POST',
  path: '/reminder',
  summary: 'Update the reminder',
  description:
    'Turns the daily email on or off and sets its hour. There’s at most one for each date, and none if that date has an entry already. Where clocks skip the hour, it comes right after the gap.',
  access: 'verified',
  body: z.object({
    enabled: z.boolean('Turn reminders on or off.').meta({ example: true }),
    hour: z.int('Choose an hour.').min(0, 'Choose an hour.').max(23, 'Choose an hour.').meta(hour),
    timeZone: timeZoneName,
  }),
  response: reminder,
  errors: ['validation_failed'],
});

const weeklyLetter = z
  .object({
    enabled,
    timeZone: chosenTimeZone,
    nextAt: z.iso.datetime().nullable().meta({
      description: 'When the next one is due; null while the letter is off.',
      example: '2026-11-29T23:00:00.000Z',
    }),
  })
  .meta({ id: 'WeeklyLetter' });
export type WeeklyLetter = z.infer<typeof weeklyLetter>;

export const getWeeklyLetter = operation({
  method: 'GET',
  path: '/weekly_letter',
  summary: 'Get the weekly letter',
  description: 'Returns whether and when an email quotes the week’s entries to the account’s owner.',
  access: 'verified',
  response: weeklyLetter,
  errors: [],
});

export const updateWeeklyLetter = operation({
  method: 'POST',
  path: '/weekly_letter',
  summary: 'Update the weekly letter',
  description:
    'Turns the weekly email on or off. It comes on Sundays at 6:00 PM in its time zone, if that week has an entry with words.',
  access: 'verified',
  body: z.object({
    enabled: z.boolean('Turn the letter on or off.').meta({ example: true }),
    timeZone: timeZoneName,
  }),
  response: weeklyLetter,
  errors: ['validation_failed'],
});

const link = z.object({
  token: z
    .string()
    .max(1000)
    .meta({ description: 'From the link in the email.', example: 'eyJhbGciOiJkaXIi.c2FtcGxl' }),
});

export const openUnsubscribePage = operation({
  method: 'GET',
  path: '/reminder/unsubscribe/:token',
  summary: 'Open the page that turns an email off',
  description:
    'Redirects to a page with a button. For mail programs that open the address in `List-Unsubscribe` instead of posting to it. Changes nothing.',
  access: 'public',
  params: link,
  produces: 'text/html',
  status: 307,
  errors: [],
});

export const unsubscribe = operation({
  method: 'POST',
  path: '/reminder/unsubscribe/:token',
  summary: 'Turn reminders or letters off from an email',
  description:
    'Turns off what the email is one of: the account’s reminders or its weekly letters, without a session. Mail providers call it when someone selects “Unsubscribe” (RFC 8058). The body is ignored. Repeating it has no effect.',
  access: 'public',
  params: link,
  response: done,
  errors: ['invalid_or_expired_link'],
});
