import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '@/db/migrate';
import { startPooler, testedPooler } from '@/lab/real/pooler';
import { startPostgres } from '@/local/postgres/server';
import { buildSpeechWorker } from '@/scripts/build-speech';
import { buildViewer } from '@/scripts/build-viewer';
import { bundlePrograms } from './bundle-programs';
import { BUNDLES_URL } from './child-program';
import { shareClips } from './media/encode';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with a `TestServer` as JSON, which it starts when it's first asked. */
    testServer: string;
  }
}

/** A Postgres server on which tests may make and drop databases. */
export interface TestServer {
  url: string;
  /** The same server as the role that the app has, which owns the template and its copies. */
  appUrl: string;
  /** The same role through a connection pooler, if tests use one. */
  poolerUrl: string | null;
  /** The migrated database that tests copy. */
  template: string;
}

interface RunningServer {
  url: string;
  appUrl: string;
  poolerUrl: string | null;
  end(): Promise<void>;
}

async function startServer(): Promise<RunningServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, appUrl: given, poolerUrl: null, end: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'daylight-test-postgres-'));
  const own = await startPostgres({ dataDir, throwaway: true });
  const program = testedPooler();
  const pooler = program ? await startPooler(program, [own.url, own.adminUrl]) : null;
  return {
    url: own.adminUrl,
    appUrl: own.url,
    poolerUrl: pooler?.through(own.url) ?? null,
    end: async () => {
      await pooler?.stop();
      await own.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a throwaway server, unless TEST_DATABASE_URL names one, and migrates a template. */
async function startWithTemplate(): Promise<{ server: TestServer; end(): Promise<void> }> {
  const { url, appUrl, poolerUrl, end } = await startServer();
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
  return { server: { url, appUrl, poolerUrl, template }, end: teardown };
}

/**
 * Builds the speech worker and the archives' viewer, and offers a database server and bundled programs for the whole run,
 * which are started and built only if a test needs them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shareClips();
  await Promise.all([buildSpeechWorker(), buildViewer()]);
  let started: ReturnType<typeof startWithTemplate> | undefined;
  let bundled: ReturnType<typeof bundlePrograms> | undefined;
  const removeBundles = async () => (await bundled?.catch(() => undefined))?.remove();
  project.onTestsRerun(async () => {
    await removeBundles();
    bundled = undefined;
  });
  const control = createServer(async ({ url }, response) => {
    try {
      if (url === '/bundles') {
        bundled ??= bundlePrograms();
        response.end((await bundled).folder);
      } else {
        started ??= startWithTemplate();
        response.end(JSON.stringify((await started).server));
      }
    } catch (error) {
      response.writeHead(500).end(String((error as Error)?.stack ?? error));
    }
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
  project.provide('testServer', address);
  process.env[BUNDLES_URL] = `${address}/bundles`;
  return async () => {
    control.close();
    control.closeAllConnections();
    await removeBundles();
    await started?.then(
      ({ end }) => end(),
      () => undefined,
    );
  };
}
