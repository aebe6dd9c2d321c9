import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '@/db/migrate';
import { startPostgres } from '@/local/postgres';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may make and drop databases. */
    testServerUrl: string;
    /** The migrated database that `freshDatabase` copies. */
    testTemplate: string;
  }
}

async function server(): Promise<{ url: string; end(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, end: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'daylight-test-postgres-'));
  const own = await startPostgres({ dataDir, throwaway: true });
  return {
    url: own.url,
    end: async () => {
      await own.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts one throw-away server for the whole run (unless TEST_DATABASE_URL names one) and migrates a template. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, end } = await server();
  const template = `template_${randomBytes(6).toString('hex')}`;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const teardown = async () => {
    await sql`drop database if exists ${sql(template)} with (force)`;
    await sql.end();
    await end();
  };
  try {
    await sql`create database ${sql(template)}`;
    const address = new URL(url);
    address.pathname = template;
    await migrate(address.href);
  } catch (error) {
    await teardown();
    throw error;
  }
  provide('testServerUrl', url);
  provide('testTemplate', template);
  return teardown;
}
