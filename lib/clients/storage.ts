import { GetObjectCommand, HeadBucketCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { env } from '@/lib/foundation/env';
import { traced } from '@/lib/foundation/telemetry/spans';
import { storageStatusOf, toStorageError } from './storage-errors';

let client: S3Client | undefined;

/** Creates a client whose every call, with all its retries, is a span named after its command: never after its key. */
function tracedClient(config: S3ClientConfig): S3Client {
  const made = new S3Client(config);
  made.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        const command = commandName.replace(/Command$/, '');
        const attributes = { 'rpc.method': command };
        return traced(`S3 ${command}`, () => next(args), { attributes, onlyInside: true, phase: 'storage' });
      },
    { step: 'initialize', name: 'traced' },
  );
  return made;
}

/** Returns the client of the bucket's service. */
export function s3(): S3Client {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE } = env();
  client ??= tracedClient({
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT } : {}),
    region: S3_REGION,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    forcePathStyle: S3_FORCE_PATH_STYLE,
    // Settings of the machine, which would change the bucket's URL.
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    // Many S3-compatible servers don't support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some servers never send `100 Continue`.
    expectContinueHeader: false,
    // A connection without traffic for a minute is dead.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000, throwOnRequestTimeout: true },
    // The SDK would write to the console, even about what a retry fixes. Callers log what fails in the end.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return client;
}

/** How long a call may take, in milliseconds: each attempt until its response begins, and all of it. */
interface Deadline {
  attempt?: number;
  total?: number;
  /** Aborts the call earlier. */
  signal?: AbortSignal | undefined;
}

/** For calls without a file. */
const SHORT: Deadline = { attempt: 8_000, total: 20_000 };

/**
 * Calls storage within a deadline. Without one, as for files, which may take hours while bytes are moving, only the
 * client's own limits apply.
 * @throws AppError `unavailable`, or the client's error about an object or a part
 */
export async function callStorage<T>(
  call: (client: S3Client, options: { abortSignal?: AbortSignal; requestTimeout?: number }) => Promise<T>,
  { attempt, total, signal }: Deadline = SHORT,
): Promise<T> {
  const abortSignal = total ? AbortSignal.timeout(total) : signal;
  try {
    return await call(s3(), {
      ...(abortSignal && { abortSignal }),
      ...(attempt && { requestTimeout: attempt }),
    });
  } catch (error) {
    throw toStorageError(error);
  }
}

export const bucket = () => env().S3_BUCKET;

/** Returns whether storage responds within `timeoutMs`, even with an error. */
export async function isStorageReachable(timeoutMs: number): Promise<boolean> {
  const head = new HeadBucketCommand({ Bucket: bucket() });
  return callStorage((client, options) => client.send(head, options), { total: timeoutMs }).then(
    () => true,
    (error: unknown) => (storageStatusOf(error) ?? 500) < 500,
  );
}

const WINDOW_SECONDS = 3600;

/**
 * Returns a signed URL to read an object. It's the same for a whole clock hour, so that the browser's cache works, and
 * valid for at least another hour. Storage responds with `Cache-Control: private`, so that no shared cache in front of
 * the bucket stores it.
 * @param options.disposition the Content-Disposition that storage responds with, for a file to save
 * @param options.seconds how long it works, counted from the start of the clock hour; 2 hours by default
 * @param options.now in milliseconds since 1970
 * @returns the URL, and how many seconds from now it stays the same
 */
export async function presignDownload(
  key: string,
  contentType: string,
  {
    disposition,
    seconds = 2 * WINDOW_SECONDS,
    now = Date.now(),
  }: { disposition?: string; seconds?: number; now?: number } = {},
): Promise<{ url: string; sameForSeconds: number }> {
  const start = Math.floor(now / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS;
  const url = await getSignedUrl(
    s3(),
    new GetObjectCommand({
      Bucket: bucket(),
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: `private, max-age=${WINDOW_SECONDS}`,
    }),
    { signingDate: new Date(start * 1000), expiresIn: seconds },
  );
  return { url, sameForSeconds: start + WINDOW_SECONDS - Math.floor(now / 1000) };
}
