import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '@/db/migrate';
import { startPostgres } from '@/local/postgres/server';
import { shareClips } from './media/encode';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may make and drop databases. */
    testServerUrl: string;
    /** The same server as the role that the app has, which owns the template and its copies. */
    testAppUrl: string;
    /** The migrated database that `freshDatabase` copies. */
    testTemplate: string;
  }
}

async function server(): Promise<{ url: string; appUrl: string; end(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, appUrl: given, end: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'daylight-test-postgres-'));
  const own = await startPostgres({ dataDir, throwaway: true });
  return {
    url: own.adminUrl,
    appUrl: own.url,
    end: async () => {
      await own.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts one throw-away server for the whole run (unless TEST_DATABASE_URL names one) and migrates a template. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  shareClips();
  const { url, appUrl, end } = await server();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const teardown = async () => {
    await sql`drop database if exists ${sql(template)} with (force)`;
    await sql.end();
    await end();
  };
  try {
    const address = new URL(appUrl);
    await sql`create database ${sql(template)} owner ${sql(address.username)}`;
    address.pathname = template;
    await migrate(address.href);
  } catch (error) {
    await teardown();
    throw error;
  }
  provide('testServerUrl', url);
  provide('testAppUrl', appUrl);
  provide('testTemplate', template);
  return teardown;
}
