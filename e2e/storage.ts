import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { App } from './running-app';

/** The bucket of a running copy, and the keys to it. */
export interface StorageAccess {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const clients = new WeakMap<App, S3Client>();

/** Returns the one client of the copy's storage. Making one takes longer than most requests. */
export function storageClient(app: App): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = app.storage;
  const client =
    clients.get(app) ??
    new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId, secretAccessKey },
    });
  clients.set(app, client);
  return client;
}

/** Returns the keys of the objects in the copy's bucket that start with a prefix: all of them by default. */
export async function listObjects(app: App, prefix = ''): Promise<string[]> {
  const { Contents = [] } = await storageClient(app).send(
    new ListObjectsV2Command({ Bucket: app.storage.bucket, Prefix: prefix }),
  );
  return Contents.flatMap(({ Key }) => Key ?? []);
}

/** Stores an object in the copy's bucket. */
export async function putObject(app: App, key: string, content: string): Promise<void> {
  const put = new PutObjectCommand({ Bucket: app.storage.bucket, Key: key, Body: content });
  await storageClient(app).send(put);
}
