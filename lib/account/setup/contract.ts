import { z } from 'zod';
import { accountStatusAnswer, done, email, newPassword, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const code = z.string('Enter the setup code.').min(1, 'Enter the setup code.').max(200).meta({
  description:
    'From the settings, or the one that `npm run db:migrate` printed. Spaces and hyphens are ignored.',
  example: '4821 7730',
});

const WRONG_CODES =
  'After ten wrong codes, every code is refused for an hour. Both operations stop working once the site has an account.';

export const checkSetupCode = operation({
  method: 'POST',
  path: '/setup/check',
  summary: 'Check the setup code',
  description: `Tells whether a code is the one that makes the site’s first account. ${WRONG_CODES}`,
  access: 'public',
  body: z.object({ code }),
  response: done,
  errors: ['validation_failed', 'not_found', 'rate_limited'],
});

export const setUp = operation({
  method: 'POST',
  path: '/setup',
  cookiesOn: [201],
  summary: 'Create the first account',
  description: `Makes the site’s first account with the setup code, whoever else may sign up, and sets the session cookies. Its email address needs no verification. ${WRONG_CODES}`,
  access: 'public',
  body: z.object({
    code,
    firstName: text(100, 'Enter your first name.').meta({ example: 'Robin' }),
    lastName: text(100, 'Enter your last name.').meta({ example: 'Moreno' }),
    email,
    password: newPassword,
  }),
  response: accountStatusAnswer,
  status: 201,
  errors: ['validation_failed', 'not_found', 'rate_limited'],
});
