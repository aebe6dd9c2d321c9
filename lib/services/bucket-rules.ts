import type { CORSRule, LifecycleRule } from '@aws-sdk/client-s3';

/**
 * Lets a site's pages upload, and download videos in parts to keep them on a device. Playing needs no rule, because
 * `<video>` and `<img>` ask for none.
 */
export const corsRule = (origin: string): CORSRule => ({
  AllowedOrigins: [origin],
  AllowedMethods: ['GET', 'PUT'],
  AllowedHeaders: ['content-md5', 'range'],
  ExposeHeaders: ['content-range', 'etag'],
});

/** Removes what a crash may leave of uploads in parts. The app itself aborts unfinished ones after a day. */
export const LIFECYCLE_RULE: LifecycleRule = {
  ID: 'abort-unfinished-uploads',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
};
