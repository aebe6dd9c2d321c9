import { beforeEach, expect, it, vi } from 'vitest';

const given = vi.hoisted(() => ({ current: {} as Record<string, string> }));
vi.mock('./env', () => ({ env: () => given.current }));

const { operator, operatorEmail, processors, sourceUrl } = await import('./site');

beforeEach(() => {
  given.current = {};
});

it('names the operator, and where to write to them, as far as they’ve said', () => {
  expect([operator(), sourceUrl()]).toEqual([{ name: 'the site’s administrator', contact: null }, null]);
  given.current = {
    OPERATOR_NAME: 'Ada Lovelace',
    OPERATOR_CONTACT: 'ada@example.com',
    SOURCE_URL: 'https://code.example',
  };
  expect([operator(), sourceUrl()]).toEqual([
    { name: 'Ada Lovelace', contact: { href: 'mailto:ada@example.com', text: 'ada@example.com' } },
    'https://code.example',
  ]);
  given.current = { OPERATOR_CONTACT: 'https://example.com/contact' };
  expect(operator().contact?.href).toBe('https://example.com/contact');
});

it('sends warnings to the operator’s address, or where people reach them if that’s one', () => {
  expect(operatorEmail()).toBeNull();
  given.current = { OPERATOR_CONTACT: 'https://example.com/contact' };
  expect(operatorEmail()).toBeNull();
  given.current = { OPERATOR_CONTACT: 'ada@example.com' };
  expect(operatorEmail()).toBe('ada@example.com');
  given.current = { ...given.current, OPERATOR_EMAIL: 'root@example.com' };
  expect(operatorEmail()).toBe('root@example.com');
});

it('names the services that are set up, but no host inside a network', () => {
  expect(processors()).toEqual({
    storage: 'Amazon S3',
    mail: 'Resend',
    payments: null,
    speech: 'built in',
    signIn: [],
  });
  given.current = {
    S3_ENDPOINT: 'https://s3.example.com',
    SMTP_URL: 'smtp://mail.example.com',
    STRIPE_SECRET_KEY: 'k',
    SPEECH_BASE_URL: 'http://whisper:8000',
    GITHUB_CLIENT_ID: 'g',
  };
  expect(processors()).toMatchObject({
    storage: 's3.example.com',
    payments: 'Stripe',
    speech: { host: null },
    signIn: ['GitHub'],
  });
  given.current = { SPEECH_BASE_URL: 'https://speech.example.com/v1' };
  expect(processors().speech).toEqual({ host: 'speech.example.com' });
});
