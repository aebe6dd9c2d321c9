import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import postgres from 'postgres';
import { startRunner } from '@/local/inngest/server';
import { startResend } from '@/local/resend/server';
import { startS3 } from '@/local/s3/server';
import { testServer } from '@/test/database';

/** The providers that the guide has people sign up with, as this machine has them. */
export interface Providers {
  /** What a person copies out of their dashboards, by variable. */
  settings: Record<string, string>;
  /** What points the site at this machine instead of at the providers. */
  addresses: Record<string, string>;
  close(): Promise<void>;
}

async function asAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres((await testServer()).url, { max: 1, onnotice: () => undefined });
  await work(sql).finally(() => sql.end());
}

/** Starts an empty database, storage that takes no forms, as R2 does, a job service, and a mailbox. */
export async function startProviders(dir: string, site: string): Promise<Providers> {
  const name = `guide_${randomBytes(8).toString('hex')}`;
  const url = new URL((await testServer()).appUrl);
  await asAdmin((sql) => sql`create database ${sql(name)} owner ${sql(url.username)}`);
  url.pathname = name;
  const keys = { region: 'auto', accessKeyId: 'AKIDTEST', secretAccessKey: 'secret-for-tests' };
  const [eventKey, signingKey] = ['key', `signkey-test-${'0123456789abcdef'.repeat(4)}`];
  const [storage, jobs, mail] = await Promise.all([
    startS3({
      ...keys,
      dir: join(dir, 'storage'),
      bucket: 'daylight',
      postObject: false,
      allowedOrigins: () => [new URL(site).origin],
    }),
    startRunner({ databaseUrl: url.href, eventKey, signingKey }),
    startResend({ dir: join(dir, 'mail'), apiKey: 're_test', port: 0 }),
  ]);
  return {
    settings: {
      DATABASE_URL: url.href,
      S3_ENDPOINT: storage.url,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      INNGEST_EVENT_KEY: eventKey,
      INNGEST_SIGNING_KEY: signingKey,
      RESEND_API_KEY: 're_test',
    },
    addresses: { S3_FORCE_PATH_STYLE: '1', INNGEST_BASE_URL: jobs.url, RESEND_BASE_URL: mail.url },
    async close() {
      await Promise.all([storage.close(), jobs.close(), mail.close()]);
      await asAdmin((sql) => sql`drop database if exists ${sql(name)} with (force)`);
    },
  };
}
