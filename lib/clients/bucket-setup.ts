import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { corsRule, LIFECYCLE_RULE, readCorsRules, readLifecycleRules } from './bucket-rules';
import { hasFormUploads } from './direct-upload';
import { bucket, callStorage, nullIfNotFound, storageStatusOf } from './storage';
import { findCorsProblem } from './storage-check';

async function createBucket(): Promise<string> {
  const Bucket = bucket();
  const exists = await callStorage(new HeadBucketCommand({ Bucket })).catch(nullIfNotFound);
  if (exists) return `The bucket ${Bucket} exists.`;
  const { S3_ENDPOINT, S3_REGION } = env();
  // Amazon's own region must not be named, and others only know their own.
  const isElsewhere = !S3_ENDPOINT && S3_REGION !== 'us-east-1';
  const LocationConstraint = S3_REGION as BucketLocationConstraint;
  const configuration = isElsewhere ? { CreateBucketConfiguration: { LocationConstraint } } : {};
  await callStorage(new CreateBucketCommand({ Bucket, ...configuration }));
  return `Created the bucket ${Bucket}.`;
}

async function setCors(): Promise<string> {
  const Bucket = bucket();
  const { origin } = new URL(env().APP_URL);
  // Some servers have rules of their own for all buckets.
  if (await findCorsProblem()) {
    const rules = await readCorsRules();
    // A key that may only change rules can't find that out. Allowing forms where there are none does no harm.
    const takesForms = await hasFormUploads().catch(() => true);
    const CORSConfiguration = { CORSRules: [...rules, corsRule(origin, takesForms)] };
    await callStorage(new PutBucketCorsCommand({ Bucket, CORSConfiguration }));
  }
  return `Browsers may upload from ${origin}, and keep entries on a device (CORS).`;
}

async function setLifecycle(): Promise<string> {
  const Bucket = bucket();
  const rules = await readLifecycleRules();
  if (!rules.some((it) => it.Status === 'Enabled' && it.AbortIncompleteMultipartUpload)) {
    const LifecycleConfiguration = { Rules: [...rules, LIFECYCLE_RULE] };
    await callStorage(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
  }
  return 'Storage removes unfinished uploads after 7 days (lifecycle).';
}

/** Returns an error's code where there was no response, and its name otherwise. */
function codeOf(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown error';
  return 'code' in cause ? String(cause.code) : cause.name;
}

/** What to do where a step isn't possible: storage doesn't know the call, or the key may not make it. */
const ADVICE = {
  bucket: {
    unknown: 'This storage doesn’t create buckets on request. Create it with the tool that came with it.',
    denied:
      'Storage rejected the key, or the key may not create buckets. Check it, or create the bucket yourself.',
  },
  cors: {
    unknown:
      'This storage has no CORS rules for each bucket. Set them for the whole server (docs/storage.md).',
    denied:
      'The storage key may not change CORS rules. Set them yourself, or use another key for this command.',
  },
  lifecycle: {
    unknown:
      'This storage has no lifecycle rules, which is fine: only a crash leaves unfinished uploads behind.',
    denied:
      'The storage key may not change lifecycle rules. Set them yourself, or use another key for this command.',
  },
};

/** Returns what to do about a failed step, and whether the app works without it. */
function adviceOn(step: keyof typeof ADVICE, error: unknown): { text: string; isOptional: boolean } {
  const status = storageStatusOf(error);
  const isOptional = step === 'lifecycle';
  if (status === 403) return { text: ADVICE[step].denied, isOptional };
  // MinIO says 400 to a lifecycle rule that only aborts uploads.
  if (status === 405 || status === 501 || (isOptional && status === 400))
    return { text: ADVICE[step].unknown, isOptional };
  const { S3_ENDPOINT } = env();
  const where = S3_ENDPOINT ? ` at ${new URL(S3_ENDPOINT).host}` : '';
  const what = status === undefined ? 'can’t be reached' : `responded with status ${status}`;
  return { text: `Storage${where} ${what} (${codeOf(error)}).`, isOptional: false };
}

/**
 * Creates the bucket if it doesn't exist, and adds the CORS and lifecycle rules that it lacks. Keeps other rules.
 * @param say receives a line about each step
 * @returns whether the app can use the bucket
 */
export async function setUpBucket(say: (line: string) => void): Promise<boolean> {
  const steps = { bucket: createBucket, cors: setCors, lifecycle: setLifecycle };
  let isUsable = true;
  for (const [name, run] of Object.entries(steps) as [keyof typeof steps, () => Promise<string>][]) {
    try {
      say(`✓ ${await run()}`);
    } catch (error) {
      const { text, isOptional } = adviceOn(name, error);
      say(`${isOptional ? '–' : '✗'} ${text}`);
      isUsable &&= isOptional;
      // Without a bucket, the rest can't work.
      if (name === 'bucket') return false;
    }
  }
  return isUsable;
}
