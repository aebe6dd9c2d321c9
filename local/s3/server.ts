import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../durable-files';
import { type LoopbackServer, startLoopbackServer } from '../loopback-server';
import { openBucket } from './bucket';
import { assertNotServed, markServed } from './dir-lock';
import { errorReply, type HandlerContext, handleRequest } from './request-handler';

export type S3ServerOptions = {
  /** Holds all data. Only one server at a time can use it. */
  dir: string;
  /** The only bucket. It's created if it doesn't exist. */
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** A free port if 0 or unset. */
  port?: number;
  /** Returns the origins whose pages may read responses; none if unset. Called for every request. */
  allowedOrigins?: () => string[] | '*';
  /** `opaque` answers ETags that look like MD5s and aren't, as buckets encrypted with KMS keys do. Default `md5`. */
  etags?: 'md5' | 'opaque';
  /** Whether it takes uploads from forms. Without them it answers 501, as Cloudflare R2 does. Default true. */
  postObject?: boolean;
  /** Gets one line per request, without signatures and bodies. */
  log?: (line: Record<string, unknown>) => void;
};

export type S3Server = LoopbackServer;

/**
 * Starts an S3-compatible server on 127.0.0.1 that stores objects on disk. It enforces signatures, POST policies and
 * digests as S3 does, and answers NotImplemented to anything the app doesn't send. Rejects if the port is taken, or the
 * folder can't be used or belongs to another server. `close` cuts running requests, which leave nothing behind.
 */
export async function startS3(options: S3ServerOptions): Promise<S3Server> {
  const { dir, region, accessKeyId, secretAccessKey } = options;
  const buckets = join(dir, 'buckets');
  await mkdir(buckets, { recursive: true });
  await assertNotServed(dir);
  const bucket = await openBucket(join(buckets, options.bucket));
  await syncFolder(buckets);

  const context: HandlerContext = {
    bucket,
    bucketName: options.bucket,
    credentials: { region, accessKeyId, secretAccessKey },
    allowedOrigins: options.allowedOrigins ?? (() => []),
    etagOf: options.etags === 'opaque' ? () => randomBytes(16).toString('hex') : (md5) => md5,
    hasPostObject: options.postObject ?? true,
    instance: randomUUID(),
    log: options.log ?? (() => undefined),
  };
  const server = await startLoopbackServer({
    port: options.port,
    handle: (request, response) => handleRequest(context, request, response),
    toReply: errorReply,
  });
  const release = await markServed(dir, server.url, context.instance);
  return {
    ...server,
    async close() {
      await server.close();
      await release();
    },
  };
}
