import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';

const exec = promisify(execFile);

/** Returns whether Postgres's client programs can save the databases that tests start. */
export async function canDump(url: string): Promise<boolean> {
  return exec('pg_dump', ['--schema-only', '--file', '/dev/null', url]).then(
    () => true,
    () => false,
  );
}

/** Saves a database, as docs/operations.md says. */
export const dumpDatabase = (url: string, file: string) =>
  exec('pg_dump', ['--format', 'custom', '--file', file, url]);

/** Replaces what's in a database of the same version by a dump, as docs/operations.md says. */
export const restoreDatabase = (url: string, file: string) =>
  exec('pg_restore', [
    ...['--clean', '--if-exists', '--no-owner', '--single-transaction', '--exit-on-error'],
    ...['--dbname', url, file],
  ]);

/** Copies a bucket's objects one by one. They get other ETags, as they can from any program that copies in parts. */
export async function copyBucket(from: S3Client, to: S3Client, Bucket: string): Promise<void> {
  const { Contents = [] } = await from.send(new ListObjectsV2Command({ Bucket }));
  for (const { Key = '' } of Contents) {
    const object = await from.send(new GetObjectCommand({ Bucket, Key }));
    const Body = await object.Body?.transformToByteArray();
    const { UploadId } = await to.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { PartNumber: 1 };
    const { ETag } = await to.send(new UploadPartCommand({ Bucket, Key, UploadId, ...part, Body }));
    const MultipartUpload = { Parts: [{ ...part, ETag }] };
    await to.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
  }
}

/** Runs the doctor. @returns its exit code, and what it prints */
export async function runDoctor(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, ...CLEARED_ENV, ...settings, NODE_ENV: 'production' };
  return exec(process.execPath, ['scripts/run.mjs', 'doctor', ...args], {
    cwd: projectRoot,
    env: env as NodeJS.ProcessEnv,
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, output: stdout }),
  );
}
