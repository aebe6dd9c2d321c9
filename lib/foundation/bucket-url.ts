import { isIP } from 'node:net';
import { type Env, env } from './env';

// Without the SDK, which is larger than all else that middleware needs.

type Settings = Pick<Env, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_FORCE_PATH_STYLE'>;

/** Amazon's domains by the start of a region's name, where it isn't amazonaws.com. */
const DOMAINS: [regions: string, domain: string][] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
];

/** Returns where the service of the bucket is. */
function serviceUrl({ S3_ENDPOINT, S3_REGION }: Settings): URL {
  const [, domain = 'amazonaws.com'] = DOMAINS.find(([regions]) => S3_REGION.startsWith(regions)) ?? [];
  return new URL(S3_ENDPOINT ?? `https://s3.${S3_REGION}.${domain}`);
}

const LABEL = /^(?!-)[a-z\d-]{3,63}(?<!-)$/;

/**
 * Returns whether a bucket can be part of a host's name. One with dots in it can't, as a wildcard certificate holds for one
 * label (Amazon S3, “Virtual hosting of buckets”).
 */
const isHostable = (bucket: string, { hostname }: URL): boolean =>
  LABEL.test(bucket) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;

/**
 * Returns the URL of the bucket, which is a host of its own or a path that ends with its name, as the SDK makes it. Signed
 * URLs are below it.
 */
export function bucketUrl(settings: Settings = env()): URL {
  const { S3_BUCKET: bucket, S3_FORCE_PATH_STYLE } = settings;
  const url = serviceUrl(settings);
  if (!S3_FORCE_PATH_STYLE && isHostable(bucket, url)) url.hostname = `${bucket}.${url.hostname}`;
  else url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`;
  return url;
}
