import { knownSeconds } from '@/components/capture/uploads/transfer/open-upload';
import { readVideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { asVideo } from '@/components/capture/uploads/video-file/video-type';
import { type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';

/** Returns the video that the user chose, ready to upload, or why it can't be, by its size and what its header says. */
export async function acceptFile(
  chosen: File,
  limits: FileLimits,
): Promise<{ video: File } | { problem: string }> {
  const video = await asVideo(chosen);
  if (!video) return { problem: 'Please upload a video file.' };
  const { seconds } = await readVideoHeader(video);
  const problem = findLimitProblem(limits, { bytes: video.size, seconds: seconds ?? undefined });
  if (problem) return { problem };
  if (seconds !== null) knownSeconds.set(video, seconds);
  return { video };
}
