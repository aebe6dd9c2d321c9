import { z } from 'zod';
import { findAddressProblem } from './database-address';
import { contact, folders, secrets, share, smtpUrl, url, wholeNumber } from './env-fields';
import { isLocalSite, isSafeSiteAddress, SAFE_SITE_ADDRESS } from './local-host';
import { MIN_SETUP_CODE, plainSetupCode } from './setup-code';
import { withSafeMessage } from './shared/safe-message';
import { isWithheld, WITHHELD } from './withheld';

const flag = z
  .string()
  .optional()
  .transform((value) => value === '1' || value === 'true');

/** What STRIPE_SECRET_KEY is set to where the site doesn't charge, although its other settings are there. */
const STRIPE_OFF = 'off';

const schema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Set by `npm run up`: the services around the app are the local stand-ins. */
  DAYLIGHT_LOCAL: flag,

  APP_URL: url.refine(isSafeSiteAddress, SAFE_SITE_ADDRESS),
  AUTH_SECRET: secrets,
  TRUSTED_PROXIES: wholeNumber(1, { max: 10 }).default(0),
  /** Whether browsers are held to https on every name below the site's, too. They remember it for two years. */
  HSTS_INCLUDE_SUBDOMAINS: flag,
  /** Whether the host runs functions: many processes, each frozen between requests. See {@link FUNCTION_HOSTS}. */
  SERVERLESS: flag,
  /** Set by Vercel: its header names the client's address. */
  VERCEL: flag,
  /** Who may create an account: anyone, people with an invitation, or nobody. */
  SIGNUP: z.enum(['open', 'invite', 'closed']).default('open'),
  /** What `/setup` asks for, in place of a code that `npm run db:migrate` prints. Without spaces and hyphens. */
  SETUP_CODE: z
    .string()
    .transform(plainSetupCode)
    .refine(
      ({ length }) => length >= MIN_SETUP_CODE,
      `must have at least ${MIN_SETUP_CODE} characters, besides spaces and hyphens`,
    )
    .optional(),
  /** Who runs the site, and how to reach them, as the privacy and terms pages say it. */
  OPERATOR_NAME: z.string().trim().min(1).max(200).optional(),
  OPERATOR_CONTACT: contact.optional(),
  /** Where warnings for the operator go; see `operatorEmail`. */
  OPERATOR_EMAIL: z.email('must be an email address').optional(),
  /** Folders whose disks are watched for free space, besides the one that jobs work in. */
  DISK_FOLDERS: folders.default([]),
  /** Where the site's source code is. */
  SOURCE_URL: url.optional(),

  /** Sign-in by a provider; shown where both of a pair are set. */
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: url.default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  /** Of a GitHub Enterprise Server; its API is below it then. */
  GITHUB_BASE_URL: url.default('https://github.com'),

  DATABASE_URL: z.string().superRefine((address, { addIssue }) => {
    const problem = findAddressProblem(address);
    if (problem) addIssue(problem);
  }),
  /** Off by default: not every pooler between the app and Postgres knows prepared statements. */
  DATABASE_PREPARED_STATEMENTS: flag,
  /** How many connections a process opens at most; 5 on serverless hosts, else 10. */
  DATABASE_POOL_SIZE: wholeNumber(10, { min: 1, max: 100 }).optional(),

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

  RESEND_API_KEY: z.string().min(1).optional(),
  RESEND_BASE_URL: url.optional(),
  /** An email server, which is used instead of Resend. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().min(3),

  /** Without Stripe's settings, the site doesn't charge. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_API_BASE: url.optional(),
  /** A price's id, or its lookup key at Stripe. */
  STRIPE_PRICE_BASIC: z.string().min(1).default('daylight_basic'),
  STRIPE_PRICE_STANDARD: z.string().min(1).default('daylight_standard'),

  /** The plan of every account where the site doesn't charge. */
  DEFAULT_PLAN: z.enum(['Free', 'Basic', 'Standard']).default('Standard'),

  /** A service that recognizes speech in place of the built-in engine. */
  SPEECH_BASE_URL: url.optional(),
  SPEECH_API_KEY: z.string().default(''),
  SPEECH_MODEL: z.string().min(1).default('whisper-1'),

  /** The longest that a step of a job may take; 280 on serverless hosts, else 7,000. Inngest's own limit is 2 hours. */
  JOB_STEP_SECONDS: wholeNumber(280, { min: 1, max: 7200 }).optional(),
  /** The largest and the longest video that's accepted; see `jobLimits`. */
  JOB_MAX_BYTES: wholeNumber(1_000_000_000, { min: 1_000_000 }).optional(),
  JOB_MAX_SECONDS: wholeNumber(600, { min: 1 }).optional(),

  /** Where traces and metrics go, by OTLP over HTTP. Without it, none are collected. The exporter reads the rest itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('daylight'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  /** Which share of the traces `traceidratio` keeps. */
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  /** In milliseconds. */
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(60_000, { min: 1000 }).default(60_000),

  FFMPEG_PATH: z.string().optional(),
  FFPROBE_PATH: z.string().optional(),
  /** `required` refuses to prepare videos where the system allows no full sandbox. For the default, see `defaultSandbox`. */
  FFMPEG_SANDBOX: z.enum(['auto', 'off', 'required']).optional(),
});

export type Env = z.infer<typeof schema>;

type Given = Record<string, string | undefined>;

/** Settings that are all set or none. Half of them would be a button, or a payment, that's silently not there. */
const GROUPS: { names: string[]; required: string[] }[] = [
  ...['GOOGLE', 'GITHUB'].map((provider) => {
    const pair = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`];
    return { names: pair, required: pair };
  }),
  {
    names: Object.keys(schema.shape).filter((name) => name.startsWith('STRIPE_')),
    required: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  },
];

/** Returns the names of settings that are only missing because of others. */
function missingOfGroups(given: Given): string[] {
  const isSet = (name: string) => given[name] !== undefined;
  const missing = GROUPS.filter(({ names }) => names.some(isSet)).flatMap(({ required }) =>
    required.filter((name) => !isSet(name)),
  );
  const hasMail = isSet('RESEND_API_KEY') || isSet('SMTP_URL');
  return hasMail ? missing : ['RESEND_API_KEY or SMTP_URL', ...missing];
}

/** Set by hosts that run functions: Vercel, and AWS Lambda, also beneath other hosts. */
const FUNCTION_HOSTS = ['VERCEL', 'AWS_LAMBDA_FUNCTION_NAME'];

/** Returns the variables that are set, with what one of them says about others. */
function readGiven(source: Given): Given {
  const given: Given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  if (given.VERCEL_PROJECT_PRODUCTION_URL) given.APP_URL ??= `https://${given.VERCEL_PROJECT_PRODUCTION_URL}`;
  if (FUNCTION_HOSTS.some((name) => given[name])) given.SERVERLESS ??= '1';
  if (given.INNGEST_DEV && isLocalSite(given.APP_URL)) {
    given.INNGEST_EVENT_KEY ??= 'dev';
    given.INNGEST_SIGNING_KEY ??= 'dev';
  }
  if (given.STRIPE_SECRET_KEY !== STRIPE_OFF) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('STRIPE_')));
}

/** Returns whether the host runs functions, also while other settings are missing. */
export const isServerless = (): boolean => schema.shape.SERVERLESS.parse(readGiven(process.env).SERVERLESS);

/**
 * Returns whether the job service may call without a signature: Inngest's development server signs nothing. Only on
 * this machine, as elsewhere a stranger could call too.
 */
export function acceptsUnsignedJobs(given: Pick<Env, 'APP_URL' | 'INNGEST_DEV'>): boolean {
  return given.INNGEST_DEV !== undefined && isLocalSite(given.APP_URL);
}

const WHERE_TO_SET = {
  production:
    'Set them in the environment of this program, or in the file that it’s read from, and start it again. docs/settings.md says what each one means.',
  local:
    'See .env.example for what each one means, or use `npm run up`, which fills in whatever you leave out.',
};

/**
 * Reads the environment. Inngest's development server (`INNGEST_DEV`) asks for no keys, so a site on this machine may
 * leave both out; a site anywhere else would then accept a key that everybody knows.
 * @throws Error one message that lists every variable that is missing or wrong, and never a value
 */
export function parseEnv(source: Given): Env {
  const given = readGiven(source);
  const parsed = schema.safeParse(given);
  const missing = missingOfGroups(given).map((name) => `  ${name} is missing`);
  const withheld = Object.keys(schema.shape)
    .filter((name) => isWithheld(given[name]))
    .map((name) => `  ${name} ${WITHHELD}`);
  if (parsed.success && missing.length === 0 && withheld.length === 0) return parsed.data;
  const problems = (parsed.error?.issues ?? []).map((issue) => {
    const name = String(issue.path[0]);
    if (isWithheld(given[name])) return `  ${name} ${WITHHELD}`;
    return given[name] === undefined ? `  ${name} is missing` : `  ${name}: ${issue.message}`;
  });
  throw withSafeMessage(
    new Error(
      `Daylight can’t start, because some settings are missing or wrong:\n${[...new Set([...problems, ...withheld, ...missing])].join('\n')}\n` +
        WHERE_TO_SET[given.NODE_ENV === 'production' ? 'production' : 'local'],
    ),
  );
}

let cached: Env | undefined;

/** The settings of this process; the only reader of `process.env` in the app. Throws like {@link parseEnv}. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}
