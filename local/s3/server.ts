import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assertNotServed, markServed, openBuckets } from './buckets';
import { S3Error } from './errors';
import { type HandlerContext, handleRequest } from './request-handler';

export type S3ServerOptions = {
  /** Everything is kept in this folder, which one server at a time may have. */
  dir: string;
  /** Created when missing. */
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** 0 or unset: a free one. */
  port?: number;
  /** Origins whose pages may read answers, asked at every request. Unset: none. */
  allowedOrigins?: () => string[] | '*';
  /** Takes one line per request. Signatures and bodies are never in it. */
  log?: (line: Record<string, unknown>) => void;
};

export type S3Server = { url: string; port: number; close(): Promise<void> };

/**
 * Starts an S3-compatible server on the disk, on 127.0.0.1. It enforces signatures, POST policies and
 * checksums as S3 does, and answers NotImplemented to whatever it does not do. Rejects when the port is
 * taken, the folder cannot be used or another server has it. `close` cuts running requests, which then
 * leave nothing behind.
 */
export async function startS3(options: S3ServerOptions): Promise<S3Server> {
  const { dir, region, accessKeyId, secretAccessKey } = options;
  await mkdir(dir, { recursive: true });
  await assertNotServed(dir);
  const buckets = await openBuckets(dir);
  await buckets.create(options.bucket).catch((error: unknown) => {
    if (!(error instanceof S3Error && error.code === 'BucketAlreadyOwnedByYou')) throw error;
  });

  let url = '';
  const context: HandlerContext = {
    buckets,
    credentials: { region, accessKeyId, secretAccessKey },
    allowedOrigins: options.allowedOrigins ?? (() => []),
    instance: randomUUID(),
    url: () => url,
    log: options.log ?? (() => undefined),
  };
  const running = new Set<Promise<void>>();
  const handle = (awaitsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const done: Promise<void> = handleRequest(context, request, response, awaitsContinue).finally(() =>
      running.delete(done),
    );
    running.add(done);
  };
  const server = createServer(handle(false));
  server.on('checkContinue', handle(true));
  // A large upload over a slow line takes as long as it takes; idle ones are given up by the exchange.
  server.requestTimeout = 0;
  // Never closed for being idle: a request that is sent just then is cut, and an upload from a stream not sent again.
  server.keepAliveTimeout = 0;

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  const releaseFolder = await markServed(dir, url, context.instance);

  return {
    url,
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
      await releaseFolder();
    },
  };
}
