import { describe, expect, it } from 'vitest';
import { acceptsUnsignedJobs, parseEnv } from './env';

const complete = {
  NODE_ENV: 'production',
  APP_URL: 'https://journal.example.com/',
  AUTH_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgres://u:p@db/daylight',
  S3_REGION: 'eu-west-1',
  S3_BUCKET: 'b',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 's',
  INNGEST_EVENT_KEY: 'e',
  INNGEST_SIGNING_KEY: 's',
  RESEND_API_KEY: 'r',
  MAIL_FROM: 'a@b.example',
  STRIPE_SECRET_KEY: 'k',
  STRIPE_WEBHOOK_SECRET: 'w',
  SPEECH_BASE_URL: 'https://speech.example.com',
};

describe('settings', () => {
  it('are read with their defaults', () => {
    const settings = parseEnv(complete);
    expect(settings.APP_URL).toBe('https://journal.example.com');
    expect(settings.TRUSTED_PROXIES).toBe(0);
    expect(settings.SPEECH_MODEL).toBe('whisper-1');
  });

  it('say in one message everything that is missing or wrong, and no value', () => {
    const { DATABASE_URL, S3_BUCKET, ...rest } = complete;
    const refused = () => parseEnv({ ...rest, AUTH_SECRET: 'too short', MAIL_FROM: '' });
    expect(refused).toThrow(/DATABASE_URL is missing/);
    expect(refused).toThrow(/S3_BUCKET is missing/);
    expect(refused).toThrow(/MAIL_FROM is missing/);
    expect(refused).toThrow(/AUTH_SECRET: must be at least 32 characters long/);
    expect(refused).not.toThrow(/too short/);
  });

  it('take several secrets, the newest first, and leave a passphrase with commas whole', () => {
    const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
    const read = (AUTH_SECRET: string) => parseEnv({ ...complete, AUTH_SECRET }).AUTH_SECRET;
    expect(read(first)).toEqual([first]);
    expect(read(`${first}, ${second}`)).toEqual([first, second]);
    const passphrase = 'lamps, lanterns, candles, torches and stars';
    expect(read(passphrase)).toEqual([passphrase]);
  });

  it('require https unless the site is on this machine', () => {
    const refused = [
      'http://journal.example.com',
      'http://192.168.1.5:3000',
      'http://127.0.0.1.evil.example',
    ];
    for (const APP_URL of [...refused, 'http://localhost.example', 'http://0.0.0.0:3000']) {
      expect(() => parseEnv({ ...complete, APP_URL }), APP_URL).toThrow(
        /APP_URL: must start with https:\/\//,
      );
    }
    const local = [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://b.localhost',
    ];
    for (const APP_URL of local) expect(parseEnv({ ...complete, APP_URL }).APP_URL).toBe(APP_URL);
  });

  it('need no Inngest keys for its development server, on this machine only', () => {
    const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, ...rest } = complete;
    const dev = { ...rest, INNGEST_DEV: 'http://127.0.0.1:8288' };
    expect(() => parseEnv(rest)).toThrow(/INNGEST_EVENT_KEY is missing/);
    expect(() => parseEnv(dev)).toThrow(/INNGEST_SIGNING_KEY is missing/);
    for (const APP_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      expect(acceptsUnsignedJobs(parseEnv({ ...dev, APP_URL }))).toBe(true);
    }
  });

  it.each([
    ['https://journal.example.com', '1'],
    ['https://localhost.example.com', 'http://127.0.0.1:8288'],
    ['https://127.0.0.1.example.com', '1'],
    ['https://192.168.1.7:3000', '1'],
    ['http://localhost:3000', '0'],
    ['http://localhost:3000', 'false'],
    ['http://localhost:3000', ''],
  ])('require signed jobs on %s with INNGEST_DEV=%j', (APP_URL, INNGEST_DEV) => {
    expect(acceptsUnsignedJobs(parseEnv({ ...complete, APP_URL, INNGEST_DEV }))).toBe(false);
  });

  it('reduce INNGEST_SERVE_ORIGIN to an origin', () => {
    const settings = parseEnv({ ...complete, INNGEST_SERVE_ORIGIN: 'http://app.internal:3000/' });
    expect(settings.INNGEST_SERVE_ORIGIN).toBe('http://app.internal:3000');
  });
});
