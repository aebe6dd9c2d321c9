import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { readCorsRules } from './bucket-rules';
import { detectFormUploads, hasFormUploads, presignForm, presignPut } from './direct-upload';
import { abortMultipart, beginMultipart, listParts } from './multipart';
import { bucket, callStorage, storageStatusOf } from './storage';
import { PROBE_KEY, writeProbe } from './storage-objects';

/** Asks for one key, with a response whose body names what's wrong; responses to HEAD have none. */
async function list(timeoutMs: number): Promise<void> {
  await callStorage(new ListObjectsV2Command({ Bucket: bucket(), Prefix: 'entries/', MaxKeys: 1 }), {
    total: timeoutMs,
  });
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

/** Codes of S3 and of compatible servers, and statuses without one of these. */
const CODES: [codes: (string | number)[], problem: () => string][] = [
  [
    ['InvalidAccessKeyId', 'XAdminUserNotFound', 'Unauthorized', 'InvalidToken', 'ExpiredToken'],
    () => 'Storage doesn’t recognize S3_ACCESS_KEY_ID. Check it, or create a new key.',
  ],
  [['SignatureDoesNotMatch'], () => 'Storage rejected S3_SECRET_ACCESS_KEY. Check it, or create a new key.'],
  [['NoSuchBucket'], () => `Storage has no bucket named ${bucket()}. Create it, or fix S3_BUCKET.`],
  [
    ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'IllegalLocationConstraintException', 301, 307],
    () => `The bucket isn’t in ${env().S3_REGION}. Fix S3_REGION.`,
  ],
  [
    ['RequestTimeTooSkewed'],
    () =>
      'This server’s clock and storage’s clock are more than 15 minutes apart. Correct this server’s clock.',
  ],
  [
    ['InsufficientStorage', 'XMinioStorageFull', 'QuotaExceeded', 'ServiceQuotaExceededException', 507],
    () => 'Storage is full. Add space, or raise its quota.',
  ],
];

/** Returns a line about a failed call. Quotes nothing that storage said but the code of the error. */
function problemOf(error: unknown, denied: string): string {
  const cause = error instanceof AppError ? error.cause : error;
  const name = cause instanceof Error ? cause.name : '';
  const status = storageStatusOf(error);
  const known = CODES.find(([codes]) => codes.includes(name) || codes.includes(status ?? 0));
  if (known) return known[1]();
  if (status === 403) return denied;
  const host = new URL(env().S3_ENDPOINT ?? `https://s3.${env().S3_REGION}.amazonaws.com`).host;
  if (status !== undefined)
    return `Storage at ${host} responded with status ${status}${name && ` (${name})`}.`;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no response in time';
  return `Storage at ${host} can’t be reached (${code}). Check S3_ENDPOINT.`;
}

/** Returns what's wrong if a check fails; null if it doesn't. @param denied says it where the key may not do that */
const problemWith = (denied: string, check: () => Promise<unknown>): Promise<string | null> =>
  check().then(
    () => null,
    (error: unknown) => problemOf(error, denied),
  );

async function uploadInParts(): Promise<void> {
  const multipartId = await beginMultipart(PROBE_KEY, 'text/plain');
  try {
    await listParts(PROBE_KEY, multipartId);
  } finally {
    await abortMultipart(PROBE_KEY, multipartId);
  }
}

async function findFormProblem(): Promise<string | null> {
  if (env().S3_POST_OBJECT !== 'on') return null;
  const refusesForms = 'S3_POST_OBJECT is on, but storage doesn’t accept uploads from forms. Set it to auto.';
  const takesForms = await detectFormUploads().catch((error: unknown) => problemOf(error, refusesForms));
  if (takesForms === true) return null;
  return takesForms || refusesForms;
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
  const mayNotList = 'The storage key doesn’t have permission to list the bucket.';
  const unlisted = await problemWith(mayNotList, () => list(TIMEOUT_MS));
  // Everything else would fail for the same reason.
  if (unlisted && unlisted !== mayNotList) return [unlisted];
  const mayNotWrite = 'The storage key doesn’t have permission to write to and delete from the bucket.';
  const problems = [unlisted, await problemWith(mayNotWrite, () => writeProbe(TIMEOUT_MS))];
  if (!problems[1]) {
    const mayNotSplit = 'The storage key doesn’t have permission for multipart uploads (docs/storage.md).';
    problems.push(await problemWith(mayNotSplit, uploadInParts), await findFormProblem());
  }
  problems.push(await findCorsProblem());
  return [...new Set(problems.filter((problem) => problem !== null))];
}
