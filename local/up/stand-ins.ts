import { join } from 'node:path';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import type { Secrets } from './data-dir';
import type { ServiceName } from './ports';
import type { ConfiguredServices } from './services';

export type StandIns = {
  /** The address of every stand-in that was started, as in local.json. */
  addresses: Partial<Record<'storage' | 'jobs' | 'mail' | 'till', string>>;
  /** The variables that point the app at them. */
  env: Record<string, string>;
  /** Waits until the app has registered with the job runner and the runner has read its functions. */
  syncJobs(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  configured: ConfiguredServices;
  dataDir: string;
  secrets: Secrets;
  ports: Record<ServiceName, number>;
  databaseUrl: string;
  appUrl: string;
  appPort: number;
  /** Where Stripe and the job runner call the app. */
  callbackOrigin: string;
  /** Multiplies the delays of retried and canceled jobs, for tests. */
  jobsTimeScale: number;
  log: (line: string) => void;
};

const BUCKET = 'daylight';
const REGION = 'us-east-1';
/** How long closing the stand-ins may take, in milliseconds. After that, they end with the process. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * Starts stand-ins for the services that aren't configured, in this process. If one fails, the others are closed.
 */
export async function startStandIns(options: Options): Promise<StandIns> {
  const { configured, dataDir, secrets, ports, databaseUrl, jobsTimeScale, log } = options;
  const { appUrl, appPort, callbackOrigin } = options;
  const named = (name: string) => (line: unknown) =>
    log(`${name}: ${typeof line === 'string' ? line : JSON.stringify(line)}`);
  const parts: StandIns = {
    addresses: {},
    env: {},
    syncJobs: async () => undefined,
    close: async () => {
      const closing = Promise.allSettled(closers.map((close) => close()));
      await withTimeout(closing, CLOSE_TIMEOUT_MS, () => undefined);
    },
  };
  const closers: (() => unknown)[] = [];
  try {
    if (!configured.storage) {
      const { startS3 } = await import('../s3/server');
      const storage = await startS3({
        dir: join(dataDir, 'storage'),
        bucket: BUCKET,
        region: REGION,
        accessKeyId: secrets.s3AccessKeyId,
        secretAccessKey: secrets.s3SecretAccessKey,
        port: ports.storage,
        etags: process.env['LOCAL_S3_ETAGS'] === 'opaque' ? 'opaque' : 'md5',
        postObject: process.env['LOCAL_S3_POST_OBJECT'] !== 'off',
        allowedOrigins: () => [
          ...new Set([new URL(appUrl).origin, `http://localhost:${appPort}`, `http://127.0.0.1:${appPort}`]),
        ],
        log: named('storage'),
      });
      closers.push(() => storage.close());
      parts.addresses.storage = storage.url;
      Object.assign(parts.env, {
        S3_ENDPOINT: storage.url,
        S3_REGION: REGION,
        S3_BUCKET: BUCKET,
        S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
        S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
        S3_FORCE_PATH_STYLE: 'true',
      });
    }
    if (!configured.mail) {
      const { startResend } = await import('../resend/server');
      const mail = await startResend({
        dir: join(dataDir, 'mail'),
        apiKey: secrets.resendApiKey,
        port: ports.mail,
        log: named('mail'),
      });
      closers.push(() => mail.close());
      parts.addresses.mail = mail.url;
      Object.assign(parts.env, { RESEND_API_KEY: secrets.resendApiKey, RESEND_BASE_URL: mail.url });
    }
    if (!configured.till) {
      const { startStripe } = await import('../stripe/server');
      const stripe = await startStripe({
        dir: join(dataDir, 'till'),
        secretKey: secrets.stripeSecretKey,
        webhookSecret: secrets.stripeWebhookSecret,
        webhookUrl: () => `${callbackOrigin}/api/webhooks/stripe`,
        port: ports.till,
        log: named('stripe'),
      });
      closers.push(() => stripe.close());
      parts.addresses.till = stripe.url;
      Object.assign(parts.env, {
        STRIPE_SECRET_KEY: secrets.stripeSecretKey,
        STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
        STRIPE_API_BASE: stripe.url,
      });
    }
    if (!configured.jobs) {
      const { startRunner } = await import('../inngest/server');
      const runner = await startRunner({
        databaseUrl,
        eventKey: secrets.inngestEventKey,
        signingKey: secrets.inngestSigningKey,
        port: ports.jobs,
        timeScale: jobsTimeScale,
        log: named('jobs'),
      });
      closers.push(() => runner.close());
      parts.addresses.jobs = runner.url;
      parts.syncJobs = async () => {
        await runner.sync();
      };
      Object.assign(parts.env, {
        INNGEST_BASE_URL: runner.url,
        // Workers can't connect to it.
        JOBS: 'serve',
        INNGEST_SERVE_ORIGIN: callbackOrigin,
        INNGEST_EVENT_KEY: secrets.inngestEventKey,
        INNGEST_SIGNING_KEY: secrets.inngestSigningKey,
      });
    }
    return parts;
  } catch (error) {
    await parts.close();
    throw error;
  }
}
