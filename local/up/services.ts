import nextEnv from '@next/env';
import type postgres from 'postgres';
import { openDatabase } from '@/db/connect';
import { describeConnectionProblem, isCertificateProblem } from '@/db/connection-problems';
import { isSafeSiteAddress, SAFE_SITE_ADDRESS } from '@/lib/foundation/local-host';
import type { Environment } from './data-dir';
import { userError } from './user-error';

/** Which services the environment configures. The others get a local stand-in. */
export type ConfiguredServices = Record<'database' | 'storage' | 'jobs' | 'mail' | 'till', boolean>;

/** Loads `.env`, `.env.local` and so on as Next does. Variables that are already set win. */
export function loadEnvFiles(root: string, dev: boolean): void {
  const { parsedEnv } = nextEnv.loadEnvConfig(root, dev, { info: () => undefined, error: console.error });
  // A line without a value, as in a copied example, counts as unset.
  for (const name of Object.keys(parsedEnv ?? {})) if (process.env[name] === '') delete process.env[name];
  // Next sets this after reading the files. Under `next dev`, it would keep changes to them from being read.
  delete process.env.__NEXT_PROCESSED_ENV;
}

/** Returns which services are configured. Throws if a service is only partly configured, naming what's missing. */
export function readConfigured(env: Environment): ConfiguredServices {
  const isSet = (name: string): boolean => Boolean(env[name]);
  const require = (service: string, names: string[]): void => {
    const missing = names.filter((name) => !isSet(name));
    if (missing.length === 0) return;
    throw userError(
      `The ${service} is only partly configured: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Set ${missing.length > 1 ? 'them' : 'it'}, or unset all of its variables to use the local one.`,
    );
  };
  const storage = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].some(isSet);
  if (storage) require('storage', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const jobs = ['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY', 'INNGEST_BASE_URL', 'INNGEST_DEV'].some(isSet);
  if (jobs && !isSet('INNGEST_DEV')) require('job service', ['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY']);
  const isPaid = isSet('STRIPE_SECRET_KEY') && env.STRIPE_SECRET_KEY !== 'off';
  if (isPaid) require('payment service', ['STRIPE_WEBHOOK_SECRET']);
  return {
    database: isSet('DATABASE_URL'),
    storage,
    jobs,
    mail: isSet('RESEND_API_KEY') || isSet('SMTP_URL'),
    till: isSet('STRIPE_SECRET_KEY'),
  };
}

/** Returns what transcribes. Not its key, and nothing else that its address may contain. */
export function describeSpeech({ SPEECH_BASE_URL: address = '', SPEECH_MODEL: model }: Environment): string {
  if (!address) return 'the built-in engine (Moonshine tiny, English)';
  const { origin, pathname } = URL.canParse(address)
    ? new URL(address)
    : { origin: 'SPEECH_BASE_URL', pathname: '' };
  return `${origin}${pathname === '/' ? '' : pathname} (${model || 'whisper-1'})`;
}

/** Reads APP_URL, which defaults to the site's address on this machine. Throws if it's plain http and not local. */
export function readAppUrl(value: string | undefined, port: number): string {
  const appUrl = value || `http://localhost:${port}`;
  if (isSafeSiteAddress(appUrl)) return appUrl;
  throw userError(`APP_URL is "${appUrl}". It ${SAFE_SITE_ADDRESS}.`);
}

/** Throws if the configured database doesn't respond. The message leaves out the address, which has a password. */
export async function checkDatabase(address: string): Promise<void> {
  let sql: postgres.Sql | undefined;
  try {
    sql = openDatabase(address, { max: 1, connect_timeout: 10, onnotice: () => undefined });
    await sql`select 1`;
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? 'no answer';
    if (isCertificateProblem(code)) throw userError(describeConnectionProblem(code), cause);
    throw userError(
      `The database in DATABASE_URL isn't responding (${code}). Start it or fix the address (a remote database without TLS needs ?sslmode=disable), or unset DATABASE_URL to use a local one.`,
      cause,
    );
  } finally {
    await sql?.end({ timeout: 1 });
  }
}

/** Throws if the configured storage doesn't respond. Any HTTP response is enough. */
export async function checkStorage(endpoint: string | undefined): Promise<void> {
  if (!endpoint) return;
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
  } catch (cause) {
    throw userError(
      `The storage at S3_ENDPOINT (${URL.canParse(endpoint) ? new URL(endpoint).host : 'not an address'}) isn't responding. Start it or fix the address, or unset the S3_ variables to use a local one.`,
      cause,
    );
  }
}
