import nextEnv from '@next/env';
import type postgres from 'postgres';
import { openDatabase } from '@/db/connect';
import { isSafeSiteAddress, SAFE_SITE_ADDRESS } from '@/lib/local-host';
import type { Environment } from './data-dir';
import { userError } from './user-error';

/** The services that the environment points at real ones; the others get a local stand-in. */
export type ConfiguredServices = Record<
  'database' | 'storage' | 'jobs' | 'mail' | 'speech' | 'till',
  boolean
>;

/** Reads `.env`, `.env.local` and their kin into the environment as Next does: what is set already wins. */
export function loadEnvFiles(root: string, dev: boolean): void {
  const { parsedEnv } = nextEnv.loadEnvConfig(root, dev, { info: () => undefined, error: console.error });
  // A line without a value, as in a copied example, means "not set".
  for (const name of Object.keys(parsedEnv ?? {})) if (process.env[name] === '') delete process.env[name];
  // Next's mark that the files are read already would outlive a change to them under `next dev`.
  delete process.env.__NEXT_PROCESSED_ENV;
}

/** Which services are configured. Throws when one is so by half, with the names of what is missing. */
export function readConfigured(env: Environment): ConfiguredServices {
  const isSet = (name: string): boolean => Boolean(env[name]);
  const require = (service: string, names: string[]): void => {
    const missing = names.filter((name) => !isSet(name));
    if (missing.length === 0) return;
    throw userError(
      `The ${service} is configured by half: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Set ${missing.length > 1 ? 'them' : 'it'}, or unset all of its variables to use the local one.`,
    );
  };
  const storage = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].some(isSet);
  if (storage) require('storage', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const jobs = ['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY', 'INNGEST_BASE_URL', 'INNGEST_DEV'].some(isSet);
  if (jobs && !isSet('INNGEST_DEV')) require('job service', ['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY']);
  if (isSet('STRIPE_SECRET_KEY')) require('payment service', ['STRIPE_WEBHOOK_SECRET']);
  return {
    database: isSet('DATABASE_URL'),
    storage,
    jobs,
    mail: isSet('RESEND_API_KEY'),
    speech: isSet('SPEECH_BASE_URL'),
    till: isSet('STRIPE_SECRET_KEY'),
  };
}

/** Reads APP_URL, by default the site's address on this machine. Throws when it's plain http and not local. */
export function readAppUrl(value: string | undefined, port: number): string {
  const appUrl = value || `http://localhost:${port}`;
  if (isSafeSiteAddress(appUrl)) return appUrl;
  throw userError(`APP_URL is "${appUrl}". It ${SAFE_SITE_ADDRESS}.`);
}

/** Throws with what to do when a configured database does not answer. The address is not shown: it holds a password. */
export async function checkDatabase(address: string): Promise<void> {
  let sql: postgres.Sql | undefined;
  try {
    sql = openDatabase(address, { max: 1, connect_timeout: 10, onnotice: () => undefined });
    await sql`select 1`;
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? 'no answer';
    throw userError(
      `The database that DATABASE_URL names does not answer (${code}). Start it or correct the address (a database elsewhere that has no TLS needs ?sslmode=disable), or unset DATABASE_URL to use a local one.`,
      cause,
    );
  } finally {
    await sql?.end({ timeout: 1 });
  }
}

/** Throws with what to do when a configured storage does not answer; any HTTP answer will do here. */
export async function checkStorage(endpoint: string | undefined): Promise<void> {
  if (!endpoint) return;
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
  } catch (cause) {
    throw userError(
      `The storage at S3_ENDPOINT (${URL.canParse(endpoint) ? new URL(endpoint).host : 'not an address'}) does not answer. Start it or correct the address, or unset the S3_ variables to use a local one.`,
      cause,
    );
  }
}
