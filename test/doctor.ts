import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportJobRun } from '@/lib/video/processing/process-reports';
import { startResend } from '@/local/resend/server';
import { startS3 } from '@/local/s3/server';
import { startStripe } from '@/local/stripe/server';
import { useFreshDatabase } from './app-database';
import { startJobService } from './job-service';
import { startHttpServer } from './leaks/proxy';
import { buildPrograms } from './programs';

const RESEND_KEY = 're_the-right-one';
const STRIPE_KEY = 'sk_test_the-right-one';
const SPEECH_KEY = 'the-right-one-of-speech';
const S3_SECRET = 'the-right-one-of-storage';

/** An address of this machine where nothing listens. */
export const NOWHERE = 'http://127.0.0.1:9';

const HEALTHY = JSON.stringify({ status: 'ok', checks: { database: 'ok', storage: 'ok', jobs: 'ok' } });

/** Starts every service that the doctor asks, builds it, and points the settings of this process there. */
export async function useDoctor() {
  const closers: (() => unknown)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'daylight-doctor-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const resend = await startResend({ dir: join(folder, 'mail'), apiKey: RESEND_KEY });
  closers.push(() => resend.close());
  const stripe = await startStripe({
    dir: join(folder, 'stripe'),
    secretKey: STRIPE_KEY,
    webhookSecret: 'whsec_none',
    webhookUrl: () => NOWHERE,
  });
  closers.push(() => stripe.close());
  const speech = await startHttpServer((incoming, _body, outgoing) => {
    const isAllowed = incoming.headers.authorization === `Bearer ${SPEECH_KEY}`;
    outgoing.writeHead(isAllowed ? (incoming.url === '/v1/models' ? 200 : 500) : 401).end('{}');
  });
  closers.push(speech.close);
  /** How the site answers, whatever it's asked. */
  const answer = { status: 200, headers: {} as Record<string, string>, body: HEALTHY };
  const site = await startHttpServer((_incoming, _body, outgoing) => {
    const headers = { 'content-type': 'application/json', ...answer.headers };
    outgoing.writeHead(answer.status, headers).end(answer.body);
  });
  closers.push(site.close);
  const keys = { region: 'us-east-1', accessKeyId: 'AKIDTEST', secretAccessKey: S3_SECRET };
  const allowedOrigins = () => [site.url];
  const storage = await startS3({ dir: join(folder, 's3'), bucket: 'daylight', allowedOrigins, ...keys });
  closers.push(() => storage.close());
  const jobs = await startJobService();
  closers.push(jobs.close);
  closers.push(
    await useFreshDatabase({
      site: site.url,
      settings: {
        FFMPEG_SANDBOX: 'off',
        INNGEST_BASE_URL: jobs.url,
        // Anything that answers is a running app.
        INNGEST_SERVE_ORIGIN: jobs.url,
        INNGEST_SIGNING_KEY: 'signkey-test-abab',
        S3_ENDPOINT: storage.url,
        S3_BUCKET: 'daylight',
        S3_ACCESS_KEY_ID: keys.accessKeyId,
        S3_SECRET_ACCESS_KEY: S3_SECRET,
        S3_FORCE_PATH_STYLE: '1',
        RESEND_API_KEY: RESEND_KEY,
        RESEND_BASE_URL: resend.url,
        STRIPE_SECRET_KEY: STRIPE_KEY,
        STRIPE_API_BASE: stripe.url,
        SPEECH_BASE_URL: `${speech.url}/v1`,
        SPEECH_API_KEY: SPEECH_KEY,
      },
    }),
  );
  const programs = await buildPrograms();
  closers.push(programs.remove);
  return {
    jobs,
    folder,
    programs,
    site: { url: site.url, answer },
    /** Makes the services answer as they should again. */
    async reset() {
      Object.assign(jobs, { status: { events: 200, apps: 200 }, app: 'daylight', runsPings: true });
      Object.assign(answer, { status: 200, headers: {}, body: HEALTHY });
      await reportJobRun();
    },
    /** Runs the doctor. @returns its exit code, and what it prints of each check, with its mark */
    async examine(env: Record<string, string> = {}, ...args: string[]) {
      const { code, output } = await programs.start('doctor', env, args).ended;
      const parts = output.split(/\n(?=[✓✗–])/).map((part) => {
        const [, name = '', ...lines] = part.trim().split(/^[✓✗–] |: (?=skipped)|\n +/);
        return [name, `${part[0]} ${lines.join(' ')}`.trim()] as const;
      });
      return { code, output, checks: Object.fromEntries(parts) };
    },
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}
