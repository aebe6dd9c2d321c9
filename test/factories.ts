import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';

/** A verified account on the Free plan, unless told otherwise. */
export async function makeUser(values: Partial<typeof users.$inferInsert> = {}) {
  const [user] = await db()
    .insert(users)
    .values({
      id: uuidv7(),
      email: `${randomUUID()}@example.com`,
      passwordHash: 'none',
      firstName: 'Ada',
      lastName: 'Lovelace',
      gender: 'female',
      dateOfBirth: '1990-12-10',
      verifiedAt: new Date(),
      ...values,
    })
    .returning();
  if (!user) throw new Error('no user was made');
  return user;
}

/** An entry whose video is ready, unless told otherwise. */
export async function makeEntry(userId: string, values: Partial<typeof entries.$inferInsert> = {}) {
  const id = uuidv7();
  const [entry] = await db()
    .insert(entries)
    .values({
      id,
      userId,
      title: 'A day',
      date: '2026-01-15',
      fileName: 'day.mp4',
      contentType: 'video/mp4',
      bytes: 1000,
      durationMs: 60_000,
      videoStatus: 'ready',
      videoKey: `entries/${userId}/${id}/video.mp4`,
      transcriptStatus: 'completed',
      ...values,
    })
    .returning();
  if (!entry) throw new Error('no entry was made');
  return entry;
}
