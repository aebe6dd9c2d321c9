import { decode, encode } from 'next-auth/jwt';
import { beforeAll, expect, it } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { decrypt, encrypt } from './encryption';

const secret = TEST_SETTINGS.AUTH_SECRET;
beforeAll(() => {
  Object.assign(process.env, TEST_SETTINGS, { DATABASE_URL: 'postgres://nowhere' });
});

it.each(['', 'a purpose'])(
  'makes and reads tokens as next-auth does, for the purpose “%s”',
  async (purpose) => {
    const token = await encrypt({ sub: 'ada' }, { purpose, seconds: 60 });
    const claims = await decode({ token, secret, salt: purpose });
    expect(claims).toEqual({
      sub: 'ada',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(60);
    const theirs = await encode({ token: { sub: 'ada' }, secret, salt: purpose });
    expect(await decrypt(theirs, { purpose })).toMatchObject({ claims: { sub: 'ada' }, newest: true });
  },
);

it('reads a token only for its own purpose and with its own key, until it expires', async () => {
  const token = await encrypt({ sub: 'ada' }, { purpose: 'one', extraKey: 'key', seconds: 60 });
  expect(await decrypt(token, { purpose: 'one', extraKey: 'key' })).toMatchObject({ claims: { sub: 'ada' } });
  expect(await decrypt(token, { purpose: 'other', extraKey: 'key' })).toBeNull();
  expect(await decrypt(token, { purpose: 'one', extraKey: 'other' })).toBeNull();
  expect(await decrypt(token, { purpose: 'one' })).toBeNull();
  const expired = await encrypt({ sub: 'ada' }, { purpose: 'one', seconds: -16 });
  expect(await decrypt(expired, { purpose: 'one' })).toBeNull();
});
