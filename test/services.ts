import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { type S3ServerOptions, startS3 } from '@/local/s3/server';
import { createTestDatabase } from './database';
import { testedService } from './tested-services';

/** An event as it arrives at Inngest's event API. */
interface SentEvent {
  id?: string;
  name: string;
  data: Record<string, unknown>;
}

/** Takes events as Inngest does, or refuses them while `broken` is set, and keeps them for the test to look at. */
async function startEventSink() {
  const events: SentEvent[] = [];
  const sink = { events, broken: false };
  const server: Server = createServer(async (request, response) => {
    const body = await json(request).catch(() => null);
    // Whoever asks has given up before all of it was sent.
    if (body === null) return;
    response.setHeader('content-type', 'application/json');
    if (sink.broken) {
      response.statusCode = 500;
      response.end('{"error":"out of order"}');
      return;
    }
    const arrived = (Array.isArray(body) ? body : [body]) as SentEvent[];
    events.push(...arrived);
    // An event without an id gets one. The SDK sends it again when an answer names none.
    response.end(JSON.stringify({ ids: arrived.map(({ id }) => id ?? randomUUID()), status: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      // One that a client has opened and not used yet would keep the server waiting for minutes.
      server.closeAllConnections();
    });
  return Object.assign(sink, { url: `http://127.0.0.1:${port}`, close });
}

type StorageOptions = Pick<S3ServerOptions, 'etags' | 'postObject'>;

/** Starts a storage of a test file's own, unless TEST_SERVICES names another. Returns the settings that point to it. */
async function startStorage(dir: string, options: StorageOptions) {
  // A test that asks for special behavior is about that, on whatever server the others run.
  const given = Object.keys(options).length === 0 ? testedService('storage') : null;
  if (given) return { settings: given, close: async () => undefined };
  const keys = { region: 'us-east-1', accessKeyId: 'AKIDTEST', secretAccessKey: 'secret-for-tests' };
  const server = await startS3({ dir, bucket: 'daylight', ...keys, ...options });
  const settings = {
    S3_ENDPOINT: server.url,
    S3_REGION: keys.region,
    S3_BUCKET: 'daylight',
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    S3_FORCE_PATH_STYLE: '1',
  };
  return { settings, close: () => server.close() };
}

/**
 * A database, a storage and an event sink of a test file's own, with the settings that point to them. Call it before
 * anything reads the settings. Mail and speech point to nothing until a test sets them.
 * @param storageOptions how the storage differs from Amazon's
 */
export async function startLocalServices(storageOptions: StorageOptions = {}) {
  const dir = await mkdtemp(path.join(tmpdir(), 'daylight-services-'));
  const [database, storage, sink] = await Promise.all([
    createTestDatabase(),
    startStorage(path.join(dir, 'storage'), storageOptions),
    startEventSink(),
  ]);
  Object.assign(process.env, {
    APP_URL: 'http://localhost:3000',
    AUTH_SECRET: 'a secret of at least thirty-two characters',
    DATABASE_URL: database.url,
    ...storage.settings,
    INNGEST_BASE_URL: sink.url,
    INNGEST_EVENT_KEY: 'test',
    INNGEST_SIGNING_KEY: 'signkey-test-00',
    RESEND_API_KEY: 're_test',
    RESEND_BASE_URL: 'http://127.0.0.1:9',
    MAIL_FROM: 'Daylight <hello@daylight.local>',
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_WEBHOOK_SECRET: 'whsec_local',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    SPEECH_BASE_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
  });
  const end = async () => {
    await Promise.all([storage.close(), sink.close(), database.drop()]);
    await rm(dir, { recursive: true, force: true });
  };
  const folder = (name: string) => path.join(dir, name);
  return { sink, databaseUrl: database.url, folder, end };
}
