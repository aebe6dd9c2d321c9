import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import type { BenchContext } from '../bench/bench';
import { fetchText } from '../bench/requests';
import { reserve, sendForm, type UploadContent } from '../bench/s3-upload';

const TIMEOUT_MS = 60_000;

/**
 * Uploads a video, and waits until it's ready and transcribed, without asking the app anything meanwhile.
 * @returns its entry's id
 * @throws Error after a minute
 */
export async function uploadAndProcess(
  bench: BenchContext,
  cookie: string,
  video: UploadContent,
): Promise<string> {
  const app = await bench.app();
  const { entryId, form } = await reserve(app, cookie, video.size);
  await sendForm(form, video);
  await fetchText({ url: `${app.url}/api/v1/entry/${entryId}/upload/complete`, cookie });
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(10)) {
    const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
    if (row?.videoStatus === 'failed') throw new Error(`The video failed: ${row.videoError}`);
    if (row?.videoStatus === 'ready' && row.transcriptStatus !== 'processing') return entryId;
  }
  throw new Error('The video was not processed within a minute.');
}
