import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import * as contract from '@/lib/portability/imports/clips/contract';
import { importClip } from '@/lib/portability/imports/clips/service';
import { finishUpload } from '@/lib/video/uploads/complete';
import { md5, sendPart } from './multipart-fixtures';

type ClipBody = z.input<typeof contract.importClip.body>;

/** Returns the request that imports a clip. */
export const clipBody = (values: Partial<ClipBody> = {}): ClipBody => ({
  clip_id: 'Trip/VID_20240501.mp4 1000',
  file_name: 'VID_20240501.mp4',
  content_type: 'video/mp4',
  size: 1000,
  duration: null,
  title: 'VID 20240501',
  titleFromWords: false,
  date: '2024-05-01',
  recordedAt: null,
  tags: [],
  notes: [],
  ...values,
});

/** Opens a clip's upload as its route does. */
export const openClip = (userId: string, importId: string, values: Partial<ClipBody> = {}) =>
  importClip(userId, importId, contract.importClip.body.parse(clipBody(values)));

/** Imports a clip with its video. @returns its entry's id */
export async function sendClip(
  userId: string,
  importId: string,
  values: Partial<ClipBody> = {},
): Promise<string> {
  const { entryId, exists } = await openClip(userId, importId, values);
  if (exists) return entryId;
  const { title, date, size } = contract.importClip.body.parse(clipBody(values));
  const video = randomBytes(size);
  await sendPart(userId, entryId, 1, video);
  await finishUpload(userId, entryId, { title, journal_date: date, size, parts: [md5(video)] });
  return entryId;
}
