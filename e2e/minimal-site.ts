import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@/db/migrate';
import { startRunner } from '@/local/inngest/server';
import { startPostgres } from '@/local/postgres/server';
import { startS3 } from '@/local/s3/server';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { startSmtpServer } from '@/test/smtp-server';
import type { Mailbox } from './mailbox';

const NEXT = join(projectRoot, 'node_modules', 'next', 'dist', 'bin', 'next');
const JOB_KEYS = { eventKey: 'event-key', signingKey: `signkey-prod-${'ab'.repeat(32)}` };
const STORAGE_KEYS = { region: 'us-east-1', accessKeyId: 'AKIDTEST', secretAccessKey: 'secret-for-tests' };

/** Reads the mails that an SMTP server was sent, as far as signing up needs them. */
function readMails({ mails }: Awaited<ReturnType<typeof startSmtpServer>>): Mailbox {
  const all = async (to: string) =>
    mails
      .filter((mail) => mail.to.includes(to))
      .map(({ raw }) => {
        // Quoted-printable: long lines are broken, and a few characters are written as numbers.
        const text = raw.replace(/=\r\n/g, '').replace(/=3D/g, '=');
        const [, subject = ''] = /^Subject: (.*)\r$/m.exec(text) ?? [];
        const [link = ''] = /\/verify_email\/[\w-]+\/[\w-]+\//.exec(text) ?? [];
        return { id: '', subject, html: text, text, link };
      })
      .reverse();
  return {
    all,
    wait: async (to) => {
      await waitUntil(async () => (await all(to)).length > 0, 30_000);
      const [newest] = await all(to);
      if (!newest) throw new Error(`No email to ${to} arrived.`);
      return newest;
    },
  };
}

/**
 * Starts a production server as an operator does, with the least settings it needs, and what these point to: a database,
 * storage, a job service and a mail server that asks for a password.
 * @param authSecret of the site whose backup is restored
 */
export async function startMinimalSite({
  authSecret = 'a secret of at least thirty-two characters',
}: {
  authSecret?: string;
} = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'daylight-minimal-'));
  const closers: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })];
  const url = `http://localhost:${await freePort()}`;
  const database = await startPostgres({ dataDir: join(dir, 'postgres'), port: await freePort() });
  closers.push(() => database.stop());
  await migrate(database.url);
  const allowedOrigins = () => [url];
  const storage = await startS3({
    dir: join(dir, 's3'),
    bucket: 'daylight',
    allowedOrigins,
    ...STORAGE_KEYS,
  });
  closers.push(() => storage.close());
  const runner = await startRunner({ databaseUrl: database.url, ...JOB_KEYS, timeScale: 0.05 });
  closers.push(() => runner.close());
  const mail = await startSmtpServer({ password: 'p@ssword' });
  closers.push(() => mail.close());

  const { PATH = '' } = process.env;
  const settings = {
    PATH,
    NODE_ENV: 'production' as const,
    APP_URL: url,
    AUTH_SECRET: authSecret,
    DATABASE_URL: database.url,
    S3_ENDPOINT: storage.url,
    S3_REGION: STORAGE_KEYS.region,
    S3_BUCKET: 'daylight',
    S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
    S3_FORCE_PATH_STYLE: '1',
    INNGEST_BASE_URL: runner.url,
    INNGEST_EVENT_KEY: JOB_KEYS.eventKey,
    INNGEST_SIGNING_KEY: JOB_KEYS.signingKey,
    SMTP_URL: mail.url.replace('//', '//daylight:p%40ssword@'),
    MAIL_FROM: 'Daylight <hello@daylight.test>',
    // What this machine allows, as `npm run up` does.
    FFMPEG_SANDBOX: 'auto',
  };
  let server: ChildProcess | undefined;
  let log = '';
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'exit');
  };
  closers.push(stop);
  return {
    url,
    settings,
    mailbox: readMails(mail),
    log: () => log,
    async start() {
      // What a developer's .env sets doesn't count.
      const env = { ...CLEARED_ENV, ...settings };
      server = spawn(process.execPath, [NEXT, 'start', '-p', new URL(url).port], { cwd: projectRoot, env });
      for (const stream of [server.stdout, server.stderr]) {
        stream?.setEncoding('utf8').on('data', (chunk: string) => {
          log += chunk;
        });
      }
      const isHealthy = () =>
        fetch(`${url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      if (!(await waitUntil(isHealthy, 60_000))) throw new Error(`The server isn't healthy:\n${log}`);
    },
    async end() {
      for (const close of closers.reverse()) await close();
    },
  };
}
