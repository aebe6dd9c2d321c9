import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from '@/db/errors';
import { TEST_SETTINGS } from '@/test/app-database';
import { isSetupOpen, offersSetup } from './service';

it('setup isn’t offered to visitors while the database is away', async () => {
  const away = { DATABASE_URL: 'postgres://a:b@127.0.0.1:9/none', SIGNUP: 'invite' };
  Object.assign(process.env, { ...TEST_SETTINGS, ...away });
  await expect(isSetupOpen()).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await offersSetup()).toBe(false);
});
