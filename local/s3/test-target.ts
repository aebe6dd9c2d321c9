import { fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sha256 } from '@aws-crypto/sha256-js';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { childProgram } from '@/test/child-program';
import { testedService } from '@/test/tested-services';
import { type S3ServerOptions, startS3 } from './server';
import type { Credentials } from './signature';

export type TestTarget = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  client(config?: Partial<S3ClientConfig>): S3Client;
  /** Returns a key that no other run uses. */
  key(name: string): string;
  /** Signs a request for a key with the SDK's own signer. */
  sign(key: string, options: SignOptions): Promise<SignedRequest>;
  close(): Promise<void>;
};

type SignOptions = {
  method: string;
  /** `x-amz-content-sha256`; by default that of an empty body. */
  payload?: string;
  date?: Date;
  headers?: Record<string, string>;
};
type SignedRequest = { url: URL; method: string; headers: Record<string, string> };

/** The origin that CORS tests use. An external server must allow it, and must not allow `https://stranger.example`. */
export const ALLOWED_ORIGIN = 'http://localhost:3000';

const external = testedService('storage');

/** True when the tests run against the server in the S3_ settings, because TEST_SERVICES has `storage`. */
export const usesExternalServer = external !== null;

/** Opens the server under test: a stand-in with an empty folder, or the one in the S3_ settings. */
export async function openTestTarget(options: Pick<S3ServerOptions, 'postObject'> = {}): Promise<TestTarget> {
  const settings = await (external ? readSettings(external) : startTestServer(options));
  const clients: S3Client[] = [];
  const run = randomUUID();
  return {
    ...settings,
    key: (name) => `contract/${run}/${name}`,
    client(config = {}) {
      const client = createS3Client(settings.endpoint, settings, config);
      clients.push(client);
      return client;
    },
    async sign(key, { method, payload = createHash('sha256').digest('hex'), date, headers: more }) {
      const url = new URL(`${settings.endpoint}/${settings.bucket}/${key}`);
      const signer = new SignatureV4({
        service: 's3',
        region: settings.region,
        credentials: settings,
        sha256: Sha256,
        uriEscapePath: false,
        applyChecksum: true,
      });
      const signed = await signer.sign(
        {
          method,
          protocol: url.protocol,
          hostname: url.hostname,
          path: url.pathname,
          headers: { host: url.host, 'x-amz-content-sha256': payload, ...more },
        },
        date ? { signingDate: date } : {},
      );
      const { host: _, ...headers } = signed.headers;
      return { url, method, headers };
    },
    async close() {
      for (const client of clients) client.destroy();
      await settings.close();
    },
  };
}

/** Returns the SDK's client as the app configures it, but without retries. */
export function createS3Client(
  endpoint: string,
  { region, accessKeyId, secretAccessKey }: Credentials,
  config: Partial<S3ClientConfig> = {},
): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    ...config,
  });
}

export const TEST_SERVER_OPTIONS = {
  bucket: 'journal',
  region: 'eu-central-1',
  accessKeyId: 'AKIDCONTRACT',
  secretAccessKey: 'a secret / of the + contract',
};

async function startTestServer(options: Pick<S3ServerOptions, 'postObject'>) {
  const dir = await mkdtemp(join(tmpdir(), 'storage-'));
  const allowedOrigins = () => [ALLOWED_ORIGIN];
  const server = await startS3({ dir, ...TEST_SERVER_OPTIONS, ...options, allowedOrigins });
  return {
    endpoint: server.url,
    ...TEST_SERVER_OPTIONS,
    async close() {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Starts a server in its own process. `peak` returns its peak memory in bytes. */
export async function startServerProcess(dir: string, execPath = process.execPath) {
  const child = fork(await childProgram('local/s3/server-process.ts'), [dir], { execArgv: [], execPath });
  const exited = once(child, 'exit');
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async peak() {
      child.send('peak');
      const [answer] = (await once(child, 'message')) as [{ peak: number }];
      return answer.peak;
    },
  };
}

function readSettings(settings: Record<string, string>) {
  const read = (name: string) => {
    const value = settings[`S3_${name}`];
    if (!value) throw new Error(`S3_${name} is not set`);
    return value;
  };
  return {
    endpoint: read('ENDPOINT').replace(/\/$/, ''),
    region: read('REGION'),
    bucket: read('BUCKET'),
    accessKeyId: read('ACCESS_KEY_ID'),
    secretAccessKey: read('SECRET_ACCESS_KEY'),
    close: async () => undefined,
  };
}

/** Returns the Code of an S3 error document. */
export async function readErrorCode(response: Response): Promise<string | undefined> {
  return /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1];
}
