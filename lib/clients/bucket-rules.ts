import {
  type CORSRule,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
} from '@aws-sdk/client-s3';
import { bucket, callStorage, nullIfNotFound } from './storage';

/**
 * Lets a site's pages upload, and download videos in parts to keep them on a device. Playing needs no rule, because
 * `<video>` and `<img>` ask for none.
 * @param takesForms whether storage takes uploads from forms
 */
export const corsRule = (origin: string, takesForms: boolean): CORSRule => ({
  AllowedOrigins: [origin],
  AllowedMethods: ['GET', 'PUT', ...(takesForms ? ['POST'] : [])],
  AllowedHeaders: ['content-md5', 'content-type', 'range'],
  ExposeHeaders: ['content-range', 'etag'],
});

/** Removes what a crash may leave of uploads in parts. The app itself aborts unfinished ones after a day. */
export const LIFECYCLE_RULE: LifecycleRule = {
  ID: 'abort-unfinished-uploads',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
};

/** Returns the bucket's CORS rules. @throws AppError `unavailable` if storage doesn't tell, or doesn't have any */
export async function readCorsRules(): Promise<CORSRule[]> {
  const found = await callStorage(new GetBucketCorsCommand({ Bucket: bucket() })).catch(nullIfNotFound);
  return found?.CORSRules ?? [];
}

/** Returns the bucket's lifecycle rules. @throws AppError `unavailable` if storage doesn't tell, or doesn't have any */
export async function readLifecycleRules(): Promise<LifecycleRule[]> {
  const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket() });
  return (await callStorage(command).catch(nullIfNotFound))?.Rules ?? [];
}
