import { knownSeconds } from '@/components/capture/uploads/transfer/open-upload';
import {
  getModifiedDate,
  getRecordedDate,
  titleFromName,
} from '@/components/capture/uploads/video-file/file-date';
import { findRefusal } from '@/components/capture/uploads/video-file/refusal';
import { readVideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { asVideo } from '@/components/capture/uploads/video-file/video-type';
import { type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';

/** A video that the user chose, and what its file says about it. */
interface ChosenFile {
  /** Ready to upload. */
  video: File;
  /** The day it was recorded; null if the file doesn't say. */
  recorded: CalendarDate | null;
  /** A title and a day for one that has to have both. */
  suggested: { title: string; date: CalendarDate };
}

/**
 * Reads a video that the user chose.
 * @returns why it can't be uploaded, by its format, its size, and what its header says, if it can't
 */
export async function readChosenFile(
  chosen: File,
  limits: FileLimits,
): Promise<ChosenFile | { problem: string }> {
  const video = await asVideo(chosen);
  const refusal = await findRefusal(chosen);
  if (refusal) return { problem: refusal };
  if (!video) return { problem: 'Please upload a video file.' };
  const header = await readVideoHeader(video);
  const problem = findLimitProblem(limits, { bytes: video.size, seconds: header.seconds ?? undefined });
  if (problem) return { problem };
  if (header.seconds !== null) knownSeconds.set(video, header.seconds);
  const recorded = getRecordedDate(header, video);
  const date = recorded ?? getModifiedDate(video);
  return { video, recorded, suggested: { title: titleFromName(video.name, date), date } };
}
