import { expect } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { signalFfmpeg } from '@/test/ffmpeg-processes';
import { cached, encode } from '@/test/media/encode';
import type { Client } from './client';

/** 20 seconds that have to be encoded anew, which takes long enough to be interrupted. */
export const slowClip = () =>
  cached('slow.webm', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', '20', '-i', 'testsrc2=size=1280x720:rate=30'],
        ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M', '-row-mt', '1'],
      ],
      path,
    ),
  );

/**
 * Waits until the slow clip of an entry is being encoded, and pauses that so that it can't end by itself. Not an earlier
 * step, whose time limit would end it soon.
 */
export async function pauseEncoding(api: Client, id: string): Promise<void> {
  const progress = async () => {
    const { videoUrl, transcription } = await api.call(getEntry, { params: { id } });
    return [videoUrl !== '', transcription.status];
  };
  // Its first copy plays by then.
  await expect.poll(progress, { timeout: 60_000, intervals: [100] }).toEqual([true, 'no_speech']);
  await expect.poll(() => signalFfmpeg(id, 'SIGSTOP'), { timeout: 60_000, intervals: [50] }).toBe(true);
}
