import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { bucket, callStorage } from './storage';
import { deleteObject } from './storage-objects';

/**
 * Below the prefix of all other objects, so that keys limited to it may write this one too. Each process has its own,
 * since Cloudflare R2 answers 429 to parallel writes of one object.
 */
export const PROBE_KEY = `entries/daylight-probe-${randomUUID()}`;

/** Writes a tiny object and deletes it. @throws AppError `unavailable` if storage doesn't take it */
export async function writeProbe(timeoutMs = 20_000): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: bucket(),
    Key: PROBE_KEY,
    Body: 'probe',
    ContentType: 'text/plain',
  });
  await callStorage((client, options) => client.send(command, options), { total: timeoutMs });
  await deleteObject(PROBE_KEY);
}
