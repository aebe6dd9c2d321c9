import { findTellingName, untitled } from '@/components/capture/uploads/video-file/file-date';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';

/** A title, and whether it says something about the clip: more than a date, a number, or a camera's name. */
export interface ClipTitle {
  title: string;
  isTelling: boolean;
}

/**
 * Returns a clip's title.
 * @param said what its sidecar or its journal says; '' if nothing
 * @param name the file's
 */
export function titleOfClip(said: string, name: string, date: CalendarDate | null): ClipTitle {
  const title = said || findTellingName(name);
  return title ? { title, isTelling: true } : { title: date ? untitled(date) : 'Video', isTelling: false };
}
