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

/** The settings of a site that charges nobody, sends its emails itself, and transcribes nothing. */
const {
  RESEND_API_KEY: _resend,
  STRIPE_SECRET_KEY: _key,
  STRIPE_WEBHOOK_SECRET: _webhook,
  SPEECH_BASE_URL: _speech,
  ...rest
} = complete;
const minimal = { ...rest, SMTP_URL: 'smtp://ada:p%40ss@mail.example.com' };

describe('optional services', () => {
  it('may all be missing, and everyone has the Standard plan then', () => {
    expect(parseEnv(minimal).DEFAULT_PLAN).toBe('Standard');
    expect(parseEnv({ ...minimal, DEFAULT_PLAN: 'Free' }).DEFAULT_PLAN).toBe('Free');
    expect(() => parseEnv({ ...minimal, DEFAULT_PLAN: 'Gold' })).toThrow(/DEFAULT_PLAN: /);
  });

  it.each([
    [{ STRIPE_SECRET_KEY: 'sk' }, 'STRIPE_WEBHOOK_SECRET'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec' }, 'STRIPE_SECRET_KEY'],
    [{ STRIPE_PRICE_BASIC: 'price_1' }, 'STRIPE_SECRET_KEY'],
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET'],
    [{ SMTP_URL: '' }, 'RESEND_API_KEY or SMTP_URL'],
  ])('name what is missing with %j, along with everything else', (change, missing) => {
    const refused = () => parseEnv({ ...minimal, S3_BUCKET: '', ...change });
    expect(refused).toThrow(`\n  ${missing} is missing\n`);
    expect(refused).toThrow('\n  S3_BUCKET is missing\n');
  });

  it('leave Stripe out when its key is “off”, whatever else is set', () => {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = parseEnv({ ...complete, STRIPE_SECRET_KEY: 'off' });
    expect([STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET]).toEqual([undefined, undefined]);
  });

  it.each(['mail.example.com:587', 'http://mail.example.com', 'smtp://', 'smtp://a:secret-b@:25:1'])(
    'refuse %s as an email server, without quoting it',
    (SMTP_URL) => {
      expect(() => parseEnv({ ...minimal, SMTP_URL })).toThrow(/SMTP_URL: must look like/);
      expect(() => parseEnv({ ...minimal, SMTP_URL })).not.toThrow(/secret-b/);
    },
  );
});

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

  it('say how to set them in production, and what does that on your own machine', () => {
    const given = { ...complete, S3_BUCKET: '' };
    expect(() => parseEnv(given)).toThrow(
      /\nSet them in the environment of this program,.*docs\/settings\.md/,
    );
    expect(() => parseEnv(given)).not.toThrow(/npm run up/);
    expect(() => parseEnv({ ...given, NODE_ENV: 'development' })).toThrow(/\nSee .*npm run up/);
  });

  it.each([
    ['TRUSTED_PROXIES', 'yes', 'must be a whole number from 0 to 10, such as 1'],
    ['TRUSTED_PROXIES', '11', 'must be a whole number from 0 to 10, such as 1'],
    ['DATABASE_POOL_SIZE', '0', 'must be a whole number from 1 to 100, such as 10'],
    ['JOB_STEP_SECONDS', '4.5', 'must be a whole number from 1 to 7200, such as 280'],
    ['JOB_MAX_BYTES', '2 GB', 'must be a whole number of at least 1000000, such as 1000000000'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', 'must be a number from 0 to 1, such as 0.1'],
  ])('say what a number must be (%s=%s)', (name, value, sentence) => {
    expect(() => parseEnv({ ...complete, [name]: value })).toThrow(`\n  ${name}: ${sentence}\n`);
  });

  it('take numbers as they’re written', () => {
    const numbers = { TRUSTED_PROXIES: ' 2 ', JOB_MAX_BYTES: '2000000000', OTEL_TRACES_SAMPLER_ARG: '0.1' };
    expect(parseEnv({ ...complete, ...numbers })).toMatchObject({
      TRUSTED_PROXIES: 2,
      JOB_MAX_BYTES: 2_000_000_000,
      OTEL_TRACES_SAMPLER_ARG: 0.1,
    });
  });

  it('name each one that Vercel doesn’t give out, once', () => {
    const pulled = {
      AUTH_SECRET: '[SENSITIVE]',
      DATABASE_URL: '[SENSITIVE]',
      S3_ACCESS_KEY_ID: '[SENSITIVE]',
    };
    const refused = () => parseEnv({ ...complete, ...pulled, OTHER: '[SENSITIVE]' });
    const lines = Object.keys(pulled).map(
      (name) => `  ${name} is “\\[SENSITIVE\\]”, because Vercel .* yourself\n`,
    );
    expect(refused).toThrow(new RegExp(`wrong:\n${lines.toSorted().join('')}Set`));
  });

  it('refuse an address of the database whose settings are ambiguous, without quoting it', () => {
    const refused = () =>
      parseEnv({ ...complete, DATABASE_URL: 'postgres://u:hush@db/d?sslmode=require?sslmode=verify-full' });
    expect(refused).toThrow(/DATABASE_URL: has more than one question mark/);
    expect(refused).not.toThrow(/hush/);
    expect(() => parseEnv({ ...complete, DATABASE_URL: 'mysql://u:hush@db/d' })).toThrow(
      /DATABASE_URL: must start with postgres:/,
    );
  });

  it('take several secrets, the newest first, and leave a passphrase with commas whole', () => {
    const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
    const read = (AUTH_SECRET: string) => parseEnv({ ...complete, AUTH_SECRET }).AUTH_SECRET;
    expect(read(first)).toEqual([first]);
    expect(read(`${first}, ${second}`)).toEqual([first, second]);
    for (const passphrase of [
      'lamps, lanterns, candles, torches and stars',
      'lamps, and lanterns of many different colors',
    ])
      expect(read(passphrase)).toEqual([passphrase]);
  });

  it('know hosts that run functions, unless told otherwise', () => {
    expect(parseEnv(complete).SERVERLESS).toBe(false);
    for (const host of ['VERCEL', 'AWS_LAMBDA_FUNCTION_NAME']) {
      const given = { ...complete, [host]: '1' };
      expect(parseEnv(given).SERVERLESS, host).toBe(true);
      expect(parseEnv({ ...given, SERVERLESS: '0' }).SERVERLESS, host).toBe(false);
    }
    expect(parseEnv({ ...complete, SERVERLESS: '1' }).SERVERLESS).toBe(true);
  });

  it('take the address of the site from Vercel unless there is one', () => {
    const vercel = { ...complete, VERCEL_PROJECT_PRODUCTION_URL: 'journal.vercel.app' };
    expect(parseEnv({ ...vercel, APP_URL: '' }).APP_URL).toBe('https://journal.vercel.app');
    expect(parseEnv(vercel).APP_URL).toBe('https://journal.example.com');
  });

  it('take an email address or a web page to reach the operator, and nothing else', () => {
    for (const contact of ['ada@example.com', 'https://example.com/contact'])
      expect(parseEnv({ ...complete, OPERATOR_CONTACT: contact }).OPERATOR_CONTACT).toBe(contact);
    for (const contact of ['somewhere', 'javascript:alert(1)'])
      expect(() => parseEnv({ ...complete, OPERATOR_CONTACT: contact })).toThrow(/OPERATOR_CONTACT: must be/);
  });

  it('take several folders to watch, which must be absolute paths', () => {
    const read = (DISK_FOLDERS: string) => parseEnv({ ...complete, DISK_FOLDERS }).DISK_FOLDERS;
    expect(read('')).toEqual([]);
    expect(read('/srv/daylight, /backup,')).toEqual(['/srv/daylight', '/backup']);
    expect(() => read('/srv/daylight,backup')).toThrow(/DISK_FOLDERS: must be absolute paths/);
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
