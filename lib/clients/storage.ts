import {
  type $Command,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { traced } from '@/lib/foundation/telemetry/spans';

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

/** Returns the status of storage's response to a failed call; undefined if there was none. */
export function storageStatusOf(error: unknown): number | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return (cause as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** Statuses about the object or the part that was asked for: missing, another version, or out of range. */
const ABOUT_OBJECTS = new Set([404, 412, 416]);
/** What's missing may also be the bucket, or the key's owner at versitygw. */
const ABOUT_SETTINGS = new Set(['NoSuchBucket', 'XAdminUserNotFound']);
const ABOUT_PARTS = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

/**
 * Returns an error of the storage client as the app's own: AppError `unavailable` if storage didn't respond, failed, or
 * refused the key, region or bucket that it's configured with, or if the response isn't S3's: Traefik, for one, answers
 * 404 for a server that's down. Errors about an object or a part stay as they are.
 */
function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const status = storageStatusOf(error);
  if (status === undefined) {
    // Network errors have a code, and the client adds $metadata to whatever it gave up on.
    const isOfNetwork = '$metadata' in error || 'code' in error || /^(Abort|Timeout)Error$/.test(error.name);
    return isOfNetwork ? new AppError('unavailable', { cause: error }) : error;
  }
  const isExpected =
    (ABOUT_OBJECTS.has(status) && !ABOUT_SETTINGS.has(error.name)) || ABOUT_PARTS.has(error.name);
  // The client sets $fault on errors that it can read. The others are pages of a proxy or of a different server.
  const isFromStorage = '$fault' in error;
  return isExpected && isFromStorage ? error : new AppError('unavailable', { cause: error });
}

/** Returns whether there's no such object. Responses to HEAD have no body, so only the status tells. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && !(error instanceof AppError) && storageStatusOf(error) === 404;
}

/** Returns null for what storage doesn't have, be it the whole bucket. @throws any other error */
export function nullIfNotFound(error: unknown): null {
  if (storageStatusOf(error) === 404) return null;
  throw error;
}

/** Returns null for an object that's missing. @throws any other error */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
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
 * Sends a command to storage within a deadline. Without one, as for files, which may take hours while bytes are moving, only
 * the client's own limits apply.
 * @throws AppError `unavailable`, or the client's error about an object or a part
 */
export async function callStorage<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: $Command<Input, Output, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  { attempt, total, signal }: Deadline = SHORT,
): Promise<Output> {
  const abortSignal = total ? AbortSignal.timeout(total) : signal;
  try {
    return await s3().send(command, { abortSignal, requestTimeout: attempt });
  } catch (error) {
    throw toStorageError(error);
  }
}

export const bucket = () => env().S3_BUCKET;

/** Returns whether storage responds within `timeoutMs`, even with an error. */
export async function isStorageReachable(timeoutMs: number): Promise<boolean> {
  return callStorage(new HeadBucketCommand({ Bucket: bucket() }), { total: timeoutMs }).then(
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
