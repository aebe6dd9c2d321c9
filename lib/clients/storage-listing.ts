import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { bucket, callStorage } from './storage';

/** An object as a listing has it. */
export interface StoredObject {
  key: string;
  /** In bytes. */
  size: number;
  /** Without quotes. */
  etag: string;
  /** Now if storage doesn't say, so that nothing takes the object for an old one. */
  modifiedAt: Date;
}

/**
 * Yields the objects whose keys start with a prefix, page by page, in the order of their keys.
 * @param after starts behind this key
 */
export async function* listObjects(prefix: string, after?: string): AsyncGenerator<StoredObject[]> {
  let token: string | undefined;
  do {
    const start = token ? { ContinuationToken: token } : { StartAfter: after };
    const page = await callStorage(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix, ...start }));
    yield (page.Contents ?? []).flatMap(({ Key: key, Size: size = 0, ETag: etag = '', LastModified }) =>
      key ? [{ key, size, etag: etag.replaceAll('"', ''), modifiedAt: LastModified ?? new Date() }] : [],
    );
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token);
}

/** An unfinished multipart upload. */
export interface UnfinishedUpload {
  key: string;
  /** Storage's id for it. */
  id: string;
  /** Now if storage doesn't say. */
  startedAt: Date;
}

/**
 * Yields the unfinished multipart uploads to keys with a prefix, page by page. MinIO only lists those to exactly that
 * key.
 */
export async function* listUploads(prefix: string): AsyncGenerator<UnfinishedUpload[]> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await callStorage(
      new ListMultipartUploadsCommand({ Bucket: bucket(), Prefix: prefix, ...marker }),
    );
    yield (page.Uploads ?? []).flatMap(({ Key: key, UploadId: id, Initiated }) =>
      key && id ? [{ key, id, startedAt: Initiated ?? new Date() }] : [],
    );
    const isLast = !page.IsTruncated || !page.NextKeyMarker;
    marker = isLast ? undefined : { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}
