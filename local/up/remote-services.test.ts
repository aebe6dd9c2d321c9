import { describe, expect, it } from 'vitest';
import type { Environment } from './data-dir';
import { readServices } from './remote-services';

const keys = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 'hush' };
const inngest = { INNGEST_EVENT_KEY: 'hush', INNGEST_SIGNING_KEY: 'hush' };
const stripe = { STRIPE_SECRET_KEY: 'sk_test_hush', STRIPE_WEBHOOK_SECRET: 'hush' };

/** Returns the services that are refused, with where they are. Throws if that tells a secret. */
function refusedIn(env: Environment): string[] {
  try {
    readServices(env);
    return [];
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('hush')) throw error;
    return [...message.matchAll(/^ {2}(\w+) +(.*) \([^)]*\)$/gm)].map(
      ([, service, where]) => `${service}: ${where}`,
    );
  }
}

describe('a service that is not on this machine', () => {
  it.each<[Environment, string]>([
    [{ DATABASE_URL: 'postgres://u:hush@db.example:5432/d?sslmode=require' }, 'database: db.example'],
    [{ DATABASE_URL: 'postgres://u:hush@localhost,db.example/d' }, 'database: localhost, db.example'],
    [keys, 'storage: s3.us-east-1.amazonaws.com'],
    [{ ...keys, S3_REGION: 'eu-west-1' }, 'storage: s3.eu-west-1.amazonaws.com'],
    [{ ...keys, S3_ENDPOINT: 'https://hush:hush@1.r2.example/' }, 'storage: 1.r2.example'],
    [{ ...keys, S3_ENDPOINT: 'hush' }, 'storage: an address that can’t be read'],
    [inngest, 'jobs: Inngest’s cloud'],
    [{ ...inngest, INNGEST_DEV: '0' }, 'jobs: Inngest’s cloud'],
    [{ ...inngest, INNGEST_BASE_URL: 'https://jobs.example' }, 'jobs: jobs.example'],
    [{ INNGEST_DEV: 'http://jobs.example:8288' }, 'jobs: jobs.example'],
    [{ RESEND_API_KEY: 're_hush' }, 'email: api.resend.com'],
    [{ SMTP_URL: 'smtp://u:hush@mail.example:587' }, 'email: mail.example'],
    [stripe, 'payments: api.stripe.com'],
    [
      { ...stripe, STRIPE_SECRET_KEY: 'rk_live_hush', STRIPE_API_BASE: 'http://127.0.0.1:1' },
      'payments: a live key',
    ],
  ])('is refused in %j', (env, found) => {
    expect(refusedIn(env)).toEqual([found]);
  });
});

it.each<[Environment]>([
  [{}],
  [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' }],
  [{ DATABASE_URL: 'postgres:///d?host=/run/postgresql' }],
  [{ ...keys, S3_ENDPOINT: 'http://localhost:9000' }],
  [{ ...inngest, INNGEST_BASE_URL: 'http://[::1]:8288' }],
  [{ INNGEST_DEV: '1' }],
  [{ INNGEST_DEV: 'http://127.0.0.1:8288' }],
  [{ SMTP_URL: 'smtp://localhost:25', RESEND_API_KEY: 're_unused' }],
  [{ RESEND_API_KEY: 're_local', RESEND_BASE_URL: 'http://127.0.0.1:1' }],
  [{ ...stripe, STRIPE_API_BASE: 'http://127.0.0.1:1' }],
  [{ STRIPE_SECRET_KEY: 'off' }],
  // No services.
  [{ APP_URL: 'https://journal.example', SPEECH_BASE_URL: 'https://speech.example', GOOGLE_CLIENT_ID: 'a' }],
])('takes %j for services on this machine', (env) => {
  expect(() => readServices(env)).not.toThrow();
});

describe('starting with services elsewhere', () => {
  const env = { DATABASE_URL: 'postgres://u:hush@db.example/d', ...keys, ...inngest };
  const start = (named: string) => readServices({ ...env, DAYLIGHT_USE_REMOTE: named });

  it('takes naming each of them', () => {
    expect(() => start('database, storage,jobs')).not.toThrow();
    expect(() => start('')).toThrow(
      / {2}database {2}db\.example \(DATABASE_URL\)\n {2}storage .*\n {2}jobs .*\nRemove/,
    );
    expect(() => start('storage')).toThrow(/\n {2}jobs .*--use storage,database,jobs$/s);
    expect(() => start('storage')).not.toThrow(/amazonaws/);
  });

  it('takes their right names', () => {
    expect(() => start('database,postgres')).toThrow(
      /no service "postgres".* database, storage, jobs, email, payments/,
    );
  });

  it('names what’s wrong with the address of the database', () => {
    const wrong = { DATABASE_URL: 'postgres://u:hush@db.example/d?sslmode=require?sslmode=verify-full' };
    const refused = () => readServices(wrong);
    expect(refused).toThrow(/^DATABASE_URL has more than one question mark/);
  });
});
