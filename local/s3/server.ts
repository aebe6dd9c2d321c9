import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoopbackServer, startLoopbackServer } from '../loopback-server';
import { openBucket } from './bucket';
import { assertNotServed, markServed } from './dir-lock';
import { syncFolder } from './files';
import { errorReply, type HandlerContext, handleRequest } from './request-handler';

export type S3ServerOptions = {
  /** Holds everything; one server at a time may have it. */
  dir: string;
  /** The only bucket, made when missing. */
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** 0 or unset: a free one. */
  port?: number;
  /** Origins whose pages may read responses, asked at every request. Unset: none. */
  allowedOrigins?: () => string[] | '*';
  /** Gets one line per request, without signatures and bodies. */
  log?: (line: Record<string, unknown>) => void;
};

export type S3Server = LoopbackServer;

/**
 * Starts an S3-compatible server on the disk, on 127.0.0.1. It enforces signatures, POST policies and digests as S3
 * does, and answers NotImplemented to whatever the app doesn't send. Rejects when the port is taken, the folder can't
 * be used or another server has it. `close` cuts running requests, which then leave nothing behind.
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
    instance: randomUUID(),
    log: options.log ?? (() => undefined),
  };
  const server = await startLoopbackServer({
    port: options.port,
    handlesContinue: true,
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
