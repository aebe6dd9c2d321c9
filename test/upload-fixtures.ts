import { readFile } from 'node:fs/promises';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { eq, like, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { bucket, s3 } from '@/lib/clients/storage';
import { entryPrefix } from '@/lib/journal/entries/keys';
import { markUploaded } from '@/lib/video/uploads/complete';
import { reserveUpload } from '@/lib/video/uploads/service';
import { makeUser } from './factories';

/** An upload to a presigned URL. */
export interface Upload {
  userId: string;
  entryId: string;
  /** Uploads a file to the presigned URL. Can be called again. */
  send(clip: string): Promise<void>;
}

/** Returns the request that reserves an upload in one piece. */
export const reservationRequest = (size?: number) => ({
  title: 'A day',
  journal_date: { day: 15, month: 1, year: 2026 },
  file_name: 'day.mp4',
  content_type: 'video/mp4',
  ...(size === undefined ? {} : { size }),
});

/** Uploads a file with the form that a reservation has. */
export function sendForm(
  { presignedData }: Awaited<ReturnType<typeof reserveUpload>>,
  body: string | Uint8Array<ArrayBuffer>,
  type = 'video/mp4',
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(presignedData.fields)) form.append(name, value);
  form.set('Content-Type', type);
  form.append('file', new Blob([body], { type }), 'day.mp4');
  return fetch(presignedData.url, { method: 'POST', body: form });
}

/** Reserves an upload for a new account. */
export async function reserve(): Promise<Upload> {
  const { id: userId } = await makeUser();
  const reserved = await reserveUpload(userId, reservationRequest());
  const send = async (clip: string) => {
    expect((await sendForm(reserved, new Uint8Array(await readFile(clip)))).status).toBe(204);
  };
  return { userId, entryId: reserved.metadata.entryId, send };
}

/** Makes a completed upload. Its jobs start once the outbox is delivered. */
export async function completed(clip: () => Promise<string>): Promise<Upload> {
  const upload = await reserve();
  await upload.send(await clip());
  await markUploaded(upload.userId, upload.entryId);
  return upload;
}

/** Returns the names of an entry's objects in storage, sorted. */
export async function objectsOf({ userId, entryId }: Upload): Promise<string[]> {
  const prefix = entryPrefix(userId, entryId);
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key.slice(prefix.length)).sort();
}

/** Returns an entry's row, or `undefined` once it's gone. */
export const rowOf = async ({ entryId }: Upload) =>
  (await db().select().from(entries).where(eq(entries.id, entryId)))[0];

/** Makes the presigned URL expired, and the purge that follows it due. */
export async function expire({ entryId }: Upload): Promise<void> {
  const past = sql`now() - interval '6 minutes'`;
  await db().update(entries).set({ uploadExpiresAt: past }).where(eq(entries.id, entryId));
  await db()
    .update(outbox)
    .set({ dueAt: past })
    .where(like(outbox.id, `purged-again-${entryId}`));
}
