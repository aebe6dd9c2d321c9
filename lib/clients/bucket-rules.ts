import type { CORSRule, LifecycleRule } from '@aws-sdk/client-s3';

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
