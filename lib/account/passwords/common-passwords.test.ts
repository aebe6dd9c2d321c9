import { expect, it } from 'vitest';
import { assertUncommonPassword } from './common-passwords';

const check = (password: string) => assertUncommonPassword(password, 'ada@example.com', 'password');

it('refuses what an attacker would try first on this site', async () => {
  for (const password of [
    'Daylight2026!',
    'my-video-journal',
    'DaylightDiary',
    '!!journal99',
    'ada@example.com',
    'iloveyou1',
  ]) {
    await expect(check(password), password).rejects.toMatchObject({ code: 'validation_failed' });
  }
});

it('accepts words about this site among others', async () => {
  for (const password of ['daylight over tall pines', 'journalist42', 'my video of Lisbon'])
    await check(password);
});
