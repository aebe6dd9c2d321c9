import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { eq, like } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { uploads } from '@/db/schema/uploads';
import { finishUpload } from '@/lib/video/uploads/complete';
import { PART_BYTES } from '@/lib/video/uploads/contract';
import { signParts } from '@/lib/video/uploads/multipart';
import { openUpload } from '@/lib/video/uploads/service';

const day = { title: 'A day', journal_date: { day: 15, month: 1, year: 2026 } };
/** Returns the request that opens an upload; without a size, of a recording that grows. */
export const request = (size?: number, client_id: string = randomUUID()) => ({
  client_id,
  file_name: 'day.mp4',
  content_type: 'video/mp4',
  ...(size === undefined ? {} : { size, ...day }),
});

export const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('base64');
/** Returns the outbox's events with an id like this, where `%` stands for any text. */
export const eventsOf = (id: string) => db().select().from(outbox).where(like(outbox.id, id));
export const uploadRow = async (entryId: string) =>
  (await db().select().from(uploads).where(eq(uploads.entryId, entryId)))[0];
/** Returns an entry's video status, or `gone` once there's no such entry. */
export const statusOf = async (entryId: string) =>
  (await db().select().from(entries).where(eq(entries.id, entryId)))[0]?.videoStatus ?? 'gone';

/** A file of two parts: a whole one and a small last one. */
export const file = randomBytes(PART_BYTES + 1000);
export const parts = [file.subarray(0, PART_BYTES), file.subarray(PART_BYTES)] as const;
export const sums = [md5(parts[0]), md5(parts[1])] as const;

/** Uploads a part's bytes with a checksum, which is theirs unless given. */
export const put = (url: string, body: Buffer, sum = md5(body)) =>
  fetch(url, { method: 'PUT', headers: { 'content-md5': sum }, body: new Uint8Array(body) });

/** Signs one part. Returns a function that uploads it. */
export async function signPart(userId: string, entryId: string, number: number, body: Buffer) {
  const wanted = { number, size: body.length, md5: md5(body) };
  const signed = await signParts(userId, entryId, { parts: [wanted] });
  return () => put(signed.parts[0]?.url ?? '', body);
}

/** Signs and uploads one part. Throws unless storage takes it. */
export async function sendPart(userId: string, entryId: string, number: number, body: Buffer): Promise<void> {
  const send = await signPart(userId, entryId, number, body);
  const answer = await send();
  if (!answer.ok) throw new Error(await answer.text());
}

/** Makes an upload whose parts have all arrived. Returns its entry's id. */
export async function sentUpload(userId: string, wanted = request(file.length)) {
  const { entryId } = await openUpload(userId, wanted);
  for (const [index, body] of parts.entries()) await sendPart(userId, entryId, index + 1, body);
  return entryId;
}

export const finish = (userId: string, entryId: string, more: { size?: number; parts?: string[] } = {}) =>
  finishUpload(userId, entryId, { ...day, size: file.length, parts: [...sums], ...more });
