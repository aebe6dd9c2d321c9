import {
  getModifiedDate,
  getRecordedDate,
  titleFromName,
} from '@/components/capture/uploads/video-file/file-date';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { acceptFile } from './accept-file';

/** A video that the user chose, and what its file says about it. */
interface ChosenFile {
  video: File;
  /** The day it was recorded; null if the file doesn't say. */
  recorded: CalendarDate | null;
  /** A title and a day for one that has to have both. */
  suggested: { title: string; date: CalendarDate };
}

/** Reads a video that the user chose. @returns why it can't be uploaded if it can't */
export async function readChosenFile(
  chosen: File,
  limits: FileLimits,
): Promise<ChosenFile | { problem: string }> {
  const accepted = await acceptFile(chosen, limits);
  if ('problem' in accepted) return accepted;
  const { video } = accepted;
  const recorded = await getRecordedDate(video);
  const date = recorded ?? getModifiedDate(video);
  return { video, recorded, suggested: { title: titleFromName(video.name, date), date } };
}
