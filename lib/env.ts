import { z } from 'zod';
import { isLocalSite, isSafeSiteAddress, SAFE_SITE_ADDRESS } from './local-host';
import { withSafeMessage } from './safe-error';

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const flag = z
  .string()
  .optional()
  .transform((value) => value === '1' || value === 'true');

const MIN_SECRET = 32;

/**
 * Splits a comma-separated list of secrets, newest first: the first one encrypts, all of them decrypt. A passphrase with
 * commas in it stays whole, as its pieces are too short to be secrets.
 */
function listSecrets(value: string): [string, ...string[]] {
  const [newest = value, ...older] = value.split(',').map((secret) => secret.trim());
  return [newest, ...older].every((secret) => secret.length >= MIN_SECRET) ? [newest, ...older] : [value];
}

const settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Set by `npm run up`: the services around the app are the local stand-ins. */
  DAYLIGHT_LOCAL: flag,

  APP_URL: url.refine(isSafeSiteAddress, SAFE_SITE_ADDRESS),
  AUTH_SECRET: z
    .string()
    .min(MIN_SECRET, `must be at least ${MIN_SECRET} characters long`)
    .transform(listSecrets),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  VERCEL: flag,

  /** Sign-in by a provider; shown where both of a pair are set. */
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: url.default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  /** Of a GitHub Enterprise Server; its API is below it then. */
  GITHUB_BASE_URL: url.default('https://github.com'),

  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
  /** Off by default: not every pooler between the app and Postgres knows prepared statements. */
  DATABASE_PREPARED_STATEMENTS: flag,
  /** How many connections a process opens at most; 5 on Vercel, else 10. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).optional(),

  S3_ENDPOINT: url.optional(),
  S3_REGION: z.string().min(1),
  S3_BUCKET: z.string().min(1),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_FORCE_PATH_STYLE: flag,
  /** Whether storage takes uploads from forms; `auto` asks it. */
  S3_POST_OBJECT: z.enum(['auto', 'on', 'off']).default('auto'),

  INNGEST_BASE_URL: url.optional(),
  INNGEST_EVENT_KEY: z.string().min(1),
  INNGEST_SIGNING_KEY: z.string().min(1),
  /** The previous key, accepted while keys are rotated. */
  INNGEST_SIGNING_KEY_FALLBACK: z.string().min(1).optional(),
  /** Inngest's development server: its address, or 1 for the usual one. */
  INNGEST_DEV: z
    .string()
    .optional()
    .transform((value) => (value === '0' || value === 'false' ? undefined : value)),
  /** Where the jobs run: in the web servers, or in processes started with `npm run worker`. */
  JOBS: z.enum(['serve', 'worker']).default('serve'),
  /** Where Inngest reaches the app, when that isn't APP_URL. */
  INNGEST_SERVE_ORIGIN: url.transform((value) => new URL(value).origin).optional(),

  RESEND_API_KEY: z.string().min(1),
  RESEND_BASE_URL: url.optional(),
  MAIL_FROM: z.string().min(3),

  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_API_BASE: url.optional(),
  /** A price's id, or its lookup key at Stripe. */
  STRIPE_PRICE_BASIC: z.string().min(1).default('daylight_basic'),
  STRIPE_PRICE_STANDARD: z.string().min(1).default('daylight_standard'),

  SPEECH_BASE_URL: url,
  SPEECH_API_KEY: z.string().default(''),
  SPEECH_MODEL: z.string().min(1).default('whisper-1'),

  /** The longest that a step of a job may take; 780 on Vercel, else 7,000. Inngest's own limit is 2 hours. */
  JOB_STEP_SECONDS: z.coerce.number().int().min(1).max(7200).optional(),

  FFMPEG_PATH: z.string().optional(),
  FFPROBE_PATH: z.string().optional(),
  /** `required` refuses to prepare videos where the system allows no full sandbox. */
  FFMPEG_SANDBOX: z.enum(['auto', 'off', 'required']).default('auto'),
});

/** A provider with half of its variables would be a button that is silently not there. */
const schema = settings.superRefine((given, context) => {
  for (const provider of ['GOOGLE', 'GITHUB'] as const) {
    const names = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`] as const;
    const missing = names.filter((name) => !given[name]);
    if (missing.length === 1) context.addIssue({ code: 'custom', path: [...missing], message: 'is missing' });
  }
});

export type Env = z.infer<typeof schema>;

/**
 * Returns whether the job service may call without a signature: Inngest's development server signs nothing. Only on
 * this machine, as elsewhere a stranger could call too.
 */
export function acceptsUnsignedJobs(given: Pick<Env, 'APP_URL' | 'INNGEST_DEV'>): boolean {
  return given.INNGEST_DEV !== undefined && isLocalSite(given.APP_URL);
}

/**
 * Reads the environment. Inngest's development server (`INNGEST_DEV`) asks for no keys, so a site on this machine may
 * leave both out; a site anywhere else would then accept a key that everybody knows.
 * @throws Error one message that lists every variable that is missing or wrong, and never a value
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  if (given.INNGEST_DEV && isLocalSite(given.APP_URL)) {
    given.INNGEST_EVENT_KEY ??= 'dev';
    given.INNGEST_SIGNING_KEY ??= 'dev';
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined ? `  ${name} is missing` : `  ${name}: ${issue.message}`;
  });
  throw withSafeMessage(
    new Error(
      `Daylight can’t start, because some settings are missing or wrong:\n${[...new Set(problems)].join('\n')}\n` +
        'See .env.example for what each one means, or use `npm run up`, which fills in whatever you leave out.',
    ),
  );
}

let cached: Env | undefined;

/** The settings of this process; the only reader of `process.env` in the app. Throws like {@link parseEnv}. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}
