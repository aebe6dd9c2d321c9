import { PutObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';

/** The bucket of a running copy, and the keys to it. */
export interface StorageAccess {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const clients = new WeakMap<StorageAccess, S3Client>();

/** Returns the one client of the copy's storage. Making one takes longer than most requests. */
export function storageClient({ storage }: { storage: StorageAccess }): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = storage;
  const client =
    clients.get(storage) ??
    new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      credentials: { accessKeyId, secretAccessKey },
    });
  clients.set(storage, client);
  return client;
}

/** Returns the keys of the objects in the copy's bucket that start with a prefix: all of them by default. */
export async function listObjects(app: { storage: StorageAccess }, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  const input = { Bucket: app.storage.bucket, Prefix: prefix };
  for await (const { Contents = [] } of paginateListObjectsV2({ client: storageClient(app) }, input)) {
    keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
  }
  return keys;
}

/** Stores an object in the copy's bucket. */
export async function putObject(
  app: { storage: StorageAccess },
  key: string,
  content: string,
): Promise<void> {
  const put = new PutObjectCommand({ Bucket: app.storage.bucket, Key: key, Body: content });
  await storageClient(app).send(put);
}
