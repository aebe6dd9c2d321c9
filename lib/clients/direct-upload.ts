import { createHash } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { bucket, s3 } from './storage';
import { deleteObject, PROBE_KEY, writeProbe } from './storage-objects';

interface DirectUpload {
  key: string;
  contentType: string;
  /** Of exactly these bytes, in base64 (RFC 1864). */
  md5?: string | undefined;
  /** How long it works. */
  seconds: number;
  /** Since when it works; by default, from now on. */
  signedAt?: Date;
}

/**
 * Returns a URL and form fields for one upload (S3's POST policy): this key, this type, 1 to `maxBytes` bytes, this MD5 if
 * there is one, and within `seconds`. Storage rejects anything else, except that some servers ignore the MD5.
 */
export function presignForm(
  upload: DirectUpload & { maxBytes: number },
): Promise<{ url: string; fields: Record<string, string> }> {
  const { key, contentType, md5, seconds, signedAt = new Date(), maxBytes } = upload;
  return createPresignedPost(s3(), {
    Bucket: bucket(),
    Key: key,
    Conditions: [
      ['content-length-range', 1, maxBytes],
      ['eq', '$Content-Type', contentType],
    ],
    Fields: { 'Content-Type': contentType, ...(md5 && { 'Content-MD5': md5 }) },
    Expires: seconds - Math.round((Date.now() - signedAt.getTime()) / 1000),
  });
}

/**
 * Returns a URL to PUT one object to: this key, exactly this type, length, and MD5 if there is one, and within `seconds`.
 * Storage rejects anything else.
 */
export function presignPut(upload: DirectUpload & { bytes: number }): Promise<string> {
  const { key, contentType, md5, seconds, signedAt = new Date(), bytes } = upload;
  return getSignedUrl(
    s3(),
    new PutObjectCommand({
      Bucket: bucket(),
      Key: key,
      ContentType: contentType,
      ContentLength: bytes,
      ContentMD5: md5,
    }),
    {
      signingDate: signedAt,
      expiresIn: seconds,
      signableHeaders: new Set(['host', 'content-length', 'content-type', 'content-md5']),
    },
  );
}

const DETECTION_TIMEOUT_MS = 10_000;

/** Sends a form whose policy allows one byte, with its MD5. @throws AppError `unavailable` if storage doesn't respond, or fails */
async function postForm(body: string): Promise<{ status: number; text: string }> {
  const probe = {
    key: PROBE_KEY,
    contentType: 'text/plain',
    md5: createHash('md5').update(body).digest('base64'),
    maxBytes: 1,
    seconds: 60,
  };
  const { url, fields } = await presignForm(probe);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([body], { type: probe.contentType }), 'probe');
  const signal = AbortSignal.timeout(DETECTION_TIMEOUT_MS);
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual', signal })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((cause: unknown) => {
      throw new AppError('unavailable', { cause });
    });
  if (answer.status >= 500 && answer.status !== 501) throw new AppError('unavailable');
  return answer;
}

/**
 * Detects whether storage takes uploads from forms. Sends a form with one byte more than its policy allows: a server
 * that implements forms, and enforces their policies, refuses it for just that reason, and stores nothing. One that
 * doesn't say why, as Garage, has to take a form that fits. Anything else counts as "no" once storage has taken a signed
 * write.
 * @throws AppError `unavailable` if storage doesn't respond, or takes no upload at all
 */
export async function detectFormUploads(): Promise<boolean> {
  const { status, text } = await postForm('12');
  if (status === 400 && text.includes('<Code>EntityTooLarge</Code>')) return true;
  const takesAnySize = status < 300;
  const takesFitting = status === 400 && (await postForm('1')).status < 300;
  if (takesAnySize || takesFitting) await deleteObject(PROBE_KEY);
  if (!takesFitting) await writeProbe();
  return takesFitting;
}

const formUploads = perProcess('form-uploads', (): { detected?: Promise<boolean> | undefined } => ({}));

/**
 * Returns whether storage takes uploads from forms (POST Object), as S3_POST_OBJECT says or as it turns out. Storage is
 * asked once per process, and again after a failure.
 * @throws AppError `unavailable`
 */
export async function hasFormUploads(): Promise<boolean> {
  const { S3_POST_OBJECT } = env();
  if (S3_POST_OBJECT !== 'auto') return S3_POST_OBJECT === 'on';
  formUploads.detected ??= detectFormUploads().catch((error: unknown) => {
    formUploads.detected = undefined;
    throw error;
  });
  return formUploads.detected;
}

/** Asks storage at startup, so that the first upload doesn't have to wait for the answer. Never rejects. */
export async function logFormUploads(): Promise<void> {
  try {
    const forms = await hasFormUploads();
    log.info({ event: 'storage.forms', forms }, forms ? 'storage takes forms' : 'storage takes no forms');
  } catch (err) {
    log.warn({ event: 'storage.forms', err }, 'storage didn’t say whether it takes forms');
  }
}
