import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { corsRule } from '@/lib/clients/bucket-rules';
import type { TestFiles } from '@/test/selection';
import { answersAtAll, freePorts, startProcess } from '../process';
import type { RealServer } from './server';

const REGION = 'us-east-1';
const BUCKET = 'daylight-real';
export const ACCESS_KEY = 'AKIDREALSERVER';
export const SECRET_KEY = 'secret/of+the real servers';

/** Returns the app's settings for a server at `endpoint` with these keys. */
export const storageSettings = (endpoint: string) => ({
  S3_ENDPOINT: endpoint,
  S3_REGION: REGION,
  S3_BUCKET: BUCKET,
  S3_ACCESS_KEY_ID: ACCESS_KEY,
  S3_SECRET_ACCESS_KEY: SECRET_KEY,
  S3_FORCE_PATH_STYLE: 'true',
});

const NO_CACHE_CONTROL_WITH_304 = 'A 304 has no Cache-Control, so caches keep what the 200 said.';

/** What runs against each storage server: the protocol, the services that use it, and what people do. */
const STORAGE_TESTS: TestFiles = {
  unit: [
    'local/s3/s3.objects',
    'local/s3/s3.multipart',
    'local/s3/s3.listing',
    'local/s3/s3.post',
    'local/s3/s3.signature',
    'local/s3/s3.http',
    'lib/clients/storage-objects',
    'lib/video/uploads/',
    'lib/journal/entries/media-urls',
    'lib/journal/entries/trash',
    'lib/video/processing/races',
    'inngest/functions/cleanup',
  ],
  e2e: [
    'e2e/api/media',
    'e2e/api/uploads',
    'e2e/journeys/formats',
    'e2e/journeys/media-cache',
    'e2e/journeys/player.spec',
    'e2e/journeys/record-flow',
    'e2e/journeys/upload-',
  ],
};

/** The reason for an error that has another code or other words. The app goes by the status. */
export const ERROR_CODES = 'It refuses with another error.';

/** What each of the servers does differently from Amazon S3. */
const COMMON_DIFFERENCES: RealServer['differences'] = {
  'counts with If-Range': 'It ignores a stale If-Range. Objects that can change have new addresses.',
  'a presigned URL overrides the type, name and Cache-Control': NO_CACHE_CONTROL_WITH_304,
  'keep what they serve out of shared caches': NO_CACHE_CONTROL_WITH_304,
};

/**
 * Creates the bucket and waits until it takes objects. Sets the CORS rule that `npm run daylight -- bucket` sets, unless `cors` is false, for a server
 * that has no such call.
 */
export async function createBucket(endpoint: string, origins: string[], { cors = true } = {}): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    maxAttempts: 10,
  });
  try {
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    if (cors) {
      const CORSConfiguration = { CORSRules: origins.map((origin) => corsRule(origin, true)) };
      await client.send(new PutBucketCorsCommand({ Bucket: BUCKET, CORSConfiguration }));
    }
    // SeaweedFS refuses objects for a moment after its gateway starts.
    const object = { Bucket: BUCKET, Key: 'ready' };
    await client.send(new PutObjectCommand({ ...object, Body: 'ready' }));
    await client.send(new DeleteObjectCommand(object));
  } finally {
    client.destroy();
  }
}

interface StorageServer {
  name: string;
  program: string;
  /** Those that only this server has. */
  differences: RealServer['differences'];
  /** Whether its buckets have CORS rules; true by default. */
  cors?: boolean;
  /** Returns the arguments and variables that start it. */
  configure(options: StorageOptions): Promise<Configuration> | Configuration;
}

interface StorageOptions {
  /** Of 127.0.0.1, for S3. */
  port: number;
  /** A folder for logs and settings. */
  dir: string;
  /** An empty folder in it. */
  data: string;
  /** The site's origins, which may upload. */
  origins: string[];
}

interface Configuration {
  args: string[];
  env?: Record<string, string>;
}

/** Returns a storage server that starts with an empty bucket, which the site may upload to. */
export function storageServer(options: StorageServer): RealServer {
  const { name, program, differences, cors = true, configure } = options;
  return {
    name,
    programs: [program],
    service: 'storage',
    tests: STORAGE_TESTS,
    differences: { ...COMMON_DIFFERENCES, ...differences },
    async start({ programs, dir, origins }) {
      const { port } = await freePorts('port');
      const url = `http://127.0.0.1:${port}`;
      const data = join(dir, 'data');
      mkdirSync(data);
      const server = await startProcess({
        command: programs[program] ?? '',
        ...(await configure({ port, dir, data, origins })),
        cwd: dir,
        log: join(dir, `${name}.log`),
        isReady: () => answersAtAll(url),
      });
      await createBucket(url, origins, { cors });
      return { env: storageSettings(url), stop: server.stop };
    },
  };
}
