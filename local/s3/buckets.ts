import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bucket, openBucket } from './bucket';
import { S3Error } from './errors';
import { syncFolder } from './files';
import { keyedLock } from './keyed-lock';

export type Buckets = {
  /** Throws NoSuchBucket. */
  get(name: string): Bucket;
  /** Throws InvalidBucketName, and BucketAlreadyOwnedByYou when there is one of that name. */
  create(name: string): Promise<void>;
};

/** S3's general rules for bucket names; what they allow is also safe as the name of a folder. */
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export async function openBuckets(dir: string): Promise<Buckets> {
  const folder = join(dir, 'buckets');
  await mkdir(folder, { recursive: true });
  const buckets = new Map<string, Bucket>();
  for (const name of await readdir(folder)) buckets.set(name, await openBucket(join(folder, name)));
  const exclusively = keyedLock();
  return {
    get(name) {
      const bucket = buckets.get(name);
      if (!bucket) throw new S3Error('NoSuchBucket', undefined, { BucketName: name });
      return bucket;
    },
    create(name) {
      return exclusively(name, async () => {
        if (!BUCKET_NAME.test(name)) throw new S3Error('InvalidBucketName');
        if (buckets.has(name)) throw new S3Error('BucketAlreadyOwnedByYou');
        buckets.set(name, await openBucket(join(folder, name)));
        await syncFolder(folder);
      });
    },
  };
}

/**
 * Refuses a folder that a living server holds: starting sweeps what no record names, and that may be an
 * upload of the other server's. A server is recognised by the instance that it names in `x-amz-id-2`, not
 * by a process id, which another process may have by now.
 */
export async function assertNotServed(dir: string): Promise<void> {
  let claim: { url: string; instance: string };
  try {
    claim = JSON.parse(await readFile(join(dir, 'server.json'), 'utf8'));
  } catch {
    return;
  }
  const instance = await fetch(claim.url, { method: 'HEAD', signal: AbortSignal.timeout(2000) }).then(
    (response) => response.headers.get('x-amz-id-2'),
    () => undefined,
  );
  if (instance === claim.instance) throw new Error(`${dir} is already served at ${claim.url}`);
}

export async function markServed(dir: string, url: string, instance: string): Promise<() => Promise<void>> {
  const path = join(dir, 'server.json');
  await writeFile(path, JSON.stringify({ url, instance }));
  return () => rm(path, { force: true });
}
