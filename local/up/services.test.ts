import { expect, test } from 'vitest';
import { readConfigured } from './services';

test('starts no stand-in for what is configured, replaced, or turned off', () => {
  expect(readConfigured({})).toMatchObject({ mail: false, till: false });
  expect(readConfigured({ SMTP_URL: 'smtp://localhost' })).toMatchObject({ mail: true, till: false });
  expect(readConfigured({ STRIPE_SECRET_KEY: 'off' })).toMatchObject({ mail: false, till: true });
  expect(() => readConfigured({ STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow(
    /STRIPE_WEBHOOK_SECRET is missing/,
  );
});
