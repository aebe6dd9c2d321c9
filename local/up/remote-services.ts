import { readDatabaseAddress } from '@/lib/foundation/database-address';
import { isLocalHost } from '@/lib/foundation/local-host';
import type { Environment } from './data-dir';
import { type ConfiguredServices, readConfigured } from './services';
import { userError } from './user-error';

/** What DAYLIGHT_USE_REMOTE, which `--use` sets, calls the services. */
const NAMES = ['database', 'storage', 'jobs', 'email', 'payments'] as const;
type ServiceName = (typeof NAMES)[number];

/** A service that isn't on this machine. */
interface RemoteService {
  service: ServiceName;
  /** The variables to remove for the local one. */
  variables: string;
  /** Where it is, without anything secret. */
  where: string;
}

/** Returns the host of an address that isn't on this machine, or null. Quotes nothing else of it. */
function remoteHost(address: string): string | null {
  if (!URL.canParse(address)) return 'an address that can’t be read';
  const { hostname } = new URL(address);
  return isLocalHost(hostname) ? null : hostname;
}

function remoteDatabase(address: string): string | null {
  try {
    const { isLocal, hosts } = readDatabaseAddress(address);
    return isLocal ? null : hosts.map(({ name }) => name).join(', ');
  } catch (error) {
    throw userError(error instanceof Error ? error.message : 'DATABASE_URL can’t be read.');
  }
}

function remoteJobs({ INNGEST_BASE_URL: base, INNGEST_DEV: dev }: Environment): string | null {
  if (base) return remoteHost(base);
  if (!dev || dev === '0' || dev === 'false') return 'Inngest’s cloud';
  return /^https?:/.test(dev) ? remoteHost(dev) : null;
}

function remoteEmail({ SMTP_URL: smtp, RESEND_BASE_URL: base }: Environment): string | null {
  return remoteHost(smtp || base || 'https://api.resend.com');
}

/** A live key charges people wherever its requests go through. */
function remotePayments({ STRIPE_SECRET_KEY: key = '', STRIPE_API_BASE: base }: Environment): string | null {
  if (key === 'off') return null;
  return remoteHost(base || 'https://api.stripe.com') ?? (/^[a-z]k_live_/.test(key) ? 'a live key' : null);
}

/** Returns the configured services that aren't on this machine. @throws Error if the database's address is wrong */
function findRemoteServices(env: Environment, configured: ConfiguredServices): RemoteService[] {
  const storage = env.S3_ENDPOINT || `https://s3.${env.S3_REGION || 'us-east-1'}.amazonaws.com`;
  const found: [is: boolean, service: ServiceName, variables: string, where: () => string | null][] = [
    [configured.database, 'database', 'DATABASE_URL', () => remoteDatabase(env.DATABASE_URL ?? '')],
    [configured.storage, 'storage', 'S3_*', () => remoteHost(storage)],
    [configured.jobs, 'jobs', 'INNGEST_*', () => remoteJobs(env)],
    [configured.mail, 'email', 'SMTP_URL and RESEND_*', () => remoteEmail(env)],
    [configured.till, 'payments', 'STRIPE_*', () => remotePayments(env)],
  ];
  return found.flatMap(([isConfigured, service, variables, find]) => {
    const where = isConfigured ? find() : null;
    return where ? [{ service, variables, where }] : [];
  });
}

/**
 * Returns which services are configured. Refuses those that aren't on this machine unless DAYLIGHT_USE_REMOTE names them:
 * a `.env` from production, as `vercel env pull .env` writes it, would otherwise make a try on this machine change the
 * real journal.
 * @throws Error that says what's missing, or which services were refused, where they are, and what to do
 */
export function readServices(env: Environment): ConfiguredServices {
  const configured = readConfigured(env);
  const named = (env.DAYLIGHT_USE_REMOTE ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = named.find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    throw userError(`There's no service "${unknown}" to use. Choose from ${NAMES.join(', ')}.`);
  }
  const refused = findRemoteServices(env, configured).filter(({ service }) => !named.includes(service));
  if (refused.length === 0) return configured;
  const list = refused.map(
    ({ service, variables, where }) => `  ${service.padEnd(9)} ${where} (${variables})`,
  );
  const use = [...new Set([...named, ...refused.map(({ service }) => service)])].join(',');
  throw userError(
    `Not started, because the settings point to services that aren't on this machine:\n${list.join('\n')}\n` +
      'Remove these variables from .env and the environment to use local services instead. ' +
      `If you mean to use the real ones, name them: npm run up -- --use ${use}`,
  );
}
