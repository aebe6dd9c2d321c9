import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { detectFormUploads, hasFormUploads, presignForm, presignPut } from './direct-upload';
import { abortMultipart, beginMultipart, listParts } from './multipart';
import { readCorsRules } from './read-bucket-rules';
import { bucket, callStorage } from './storage';
import { storageStatusOf } from './storage-errors';
import { PROBE_KEY, writeProbe } from './storage-probe';

/** Asks for one key, with a response whose body names what's wrong; responses to HEAD have none. */
async function list(timeoutMs: number): Promise<void> {
  const command = new ListObjectsV2Command({ Bucket: bucket(), Prefix: 'entries/', MaxKeys: 1 });
  await callStorage((client, options) => client.send(command, options), { total: timeoutMs });
}

/** How long a successful write counts, in milliseconds. */
const WRITTEN_MS = 60_000;
let writtenUntil = 0;

/** @throws AppError `unavailable` unless storage responds within `timeoutMs` and would take an upload */
export async function checkStorage(timeoutMs: number): Promise<void> {
  if (performance.now() < writtenUntil) return list(timeoutMs);
  await writeProbe(timeoutMs);
  writtenUntil = performance.now() + WRITTEN_MS;
}

const TIMEOUT_MS = 10_000;
/** How many sites of the bucket's rules to list. */
const MAX_SITES = 5;

/** Codes of S3 and of compatible servers. */
const CODES: [codes: string[], problem: () => string][] = [
  [
    ['InvalidAccessKeyId', 'XAdminUserNotFound', 'Unauthorized', 'InvalidToken', 'ExpiredToken'],
    () => 'Storage doesn’t recognize S3_ACCESS_KEY_ID. Check it, or create a new key.',
  ],
  [['SignatureDoesNotMatch'], () => 'Storage rejected S3_SECRET_ACCESS_KEY. Check it, or create a new key.'],
  [['NoSuchBucket'], () => `Storage has no bucket named ${bucket()}. Create it, or fix S3_BUCKET.`],
  [
    ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'IllegalLocationConstraintException'],
    () => `The bucket isn’t in ${env().S3_REGION}. Fix S3_REGION.`,
  ],
  [
    ['RequestTimeTooSkewed'],
    () =>
      'This server’s clock and storage’s clock are more than 15 minutes apart. Correct this server’s clock.',
  ],
  [
    ['InsufficientStorage', 'XMinioStorageFull', 'QuotaExceeded', 'ServiceQuotaExceededException'],
    () => 'Storage is full. Add space, or raise its quota.',
  ],
];

const clientErrorOf = (error: unknown) => (error instanceof AppError ? error.cause : error);

/** Returns a line about a failed call. Quotes nothing that storage said but the code of the error. */
function problemOf(error: unknown, denied: string): string {
  const cause = clientErrorOf(error);
  const name = cause instanceof Error ? cause.name : '';
  const known = CODES.find(([codes]) => codes.includes(name));
  if (known) return known[1]();
  const status = storageStatusOf(error);
  if (status === 301 || status === 307) return `The bucket isn’t in ${env().S3_REGION}. Fix S3_REGION.`;
  if (status === 507) return 'Storage is full. Add space, or raise its quota.';
  if (status === 403) return denied;
  const host = new URL(env().S3_ENDPOINT ?? `https://s3.${env().S3_REGION}.amazonaws.com`).host;
  if (status !== undefined)
    return `Storage at ${host} responded with status ${status}${name && ` (${name})`}.`;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no response in time';
  return `Storage at ${host} can’t be reached (${code}). Check S3_ENDPOINT.`;
}

/** Runs one check. @returns whether it went well */
async function attempt(
  problems: Set<string>,
  denied: string,
  check: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    problems.add(problemOf(error, denied));
    return false;
  }
}

async function uploadInParts(): Promise<void> {
  const multipartId = await beginMultipart(PROBE_KEY, 'text/plain');
  try {
    await listParts(PROBE_KEY, multipartId);
  } finally {
    await abortMultipart(PROBE_KEY, multipartId);
  }
}

/** Returns whether a comma-separated header has all these values, or allows any. */
function allows(header: string | null, ...wanted: string[]): boolean {
  const values = (header ?? '').toLowerCase().split(/\s*,\s*/);
  return values.includes('*') || wanted.every((value) => values.includes(value.toLowerCase()));
}

/**
 * Asks as a browser does before it sends a request to `url`.
 * @param names of the request's headers, in lower case and sorted
 * @returns whether storage allows it
 */
async function isAllowedFrom(
  origin: string,
  url: string,
  method: string,
  names: readonly string[],
): Promise<boolean> {
  const headers = {
    origin,
    'access-control-request-method': method,
    ...(names.length > 0 && { 'access-control-request-headers': names.join(',') }),
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { method: 'OPTIONS', headers, signal }).catch(() => null);
  await answer?.body?.cancel();
  return (
    answer?.ok === true &&
    allows(answer.headers.get('access-control-allow-origin'), origin) &&
    allows(answer.headers.get('access-control-allow-methods'), method) &&
    (names.length === 0 || allows(answer.headers.get('access-control-allow-headers'), ...names))
  );
}

/** Returns which sites the bucket's rules are for, as a sentence; empty if storage doesn't tell. */
async function describeAllowedSites(): Promise<string> {
  const rules = await readCorsRules().catch(() => null);
  if (!rules) return '';
  const sites = [...new Set(rules.flatMap(({ AllowedOrigins = [] }) => AllowedOrigins))];
  if (sites.length === 0) return 'The bucket has no rules yet. ';
  const more = sites.length > MAX_SITES ? ` and ${sites.length - MAX_SITES} more` : '';
  return `They’re for ${sites.slice(0, MAX_SITES).join(', ')}${more}. `;
}

/** Asks as a browser does before it uploads, or downloads part of a video. @returns what is wrong, or null */
export async function findCorsProblem(): Promise<string | null> {
  const url = await presignPut({ key: PROBE_KEY, contentType: 'text/plain', bytes: 1, seconds: 60 });
  const { origin } = new URL(env().APP_URL);
  const methods = (await hasFormUploads().catch(() => false)) ? 'POST and PUT' : 'PUT';
  const form = await presignForm({ key: PROBE_KEY, contentType: 'text/plain', maxBytes: 1, seconds: 60 });
  const mayUpload =
    (await isAllowedFrom(origin, url, 'PUT', ['content-md5', 'content-type'])) &&
    (methods === 'PUT' || (await isAllowedFrom(origin, form.url, 'POST', [])));
  if (!mayUpload)
    return `Storage’s CORS rules don’t let ${origin} (APP_URL) upload. ${await describeAllowedSites()}Run \`npm run daylight -- bucket\`, or allow ${methods} with the headers content-md5 and content-type (docs/storage.md).`;
  if (!(await isAllowedFrom(origin, url, 'GET', ['range'])))
    return `Storage’s CORS rules don’t let ${origin} (APP_URL) keep entries on a device. ${await describeAllowedSites()}Run \`npm run daylight -- bucket\`, or allow GET with the header range (docs/storage.md).`;
  return null;
}

/**
 * Returns what keeps storage from taking uploads and serving videos, in one plain line each; none if all is well. Tries
 * what the app does, with a tiny object that's deleted right away. Names no secrets.
 */
export async function findStorageProblems(): Promise<string[]> {
  const problems = new Set<string>();
  const mayNotList = 'The storage key doesn’t have permission to list the bucket.';
  const listed = await attempt(problems, mayNotList, () => list(TIMEOUT_MS));
  // Everything else would fail for the same reason.
  if (!listed && !problems.has(mayNotList)) return [...problems];
  const writable = await attempt(
    problems,
    'The storage key doesn’t have permission to write to and delete from the bucket.',
    () => writeProbe(TIMEOUT_MS),
  );
  if (writable) {
    await attempt(
      problems,
      'The storage key doesn’t have permission for multipart uploads (docs/storage.md).',
      uploadInParts,
    );
    const refusesForms =
      'S3_POST_OBJECT is on, but storage doesn’t accept uploads from forms. Set it to auto.';
    await attempt(problems, refusesForms, async () => {
      if (env().S3_POST_OBJECT === 'on' && !(await detectFormUploads())) problems.add(refusesForms);
    });
  }
  const cors = await findCorsProblem();
  if (cors) problems.add(cors);
  return [...problems];
}
