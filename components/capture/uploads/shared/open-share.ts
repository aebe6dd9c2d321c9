import { readChosenFile } from '@/components/capture/uploads/form/chosen-file';
import { toast } from '@/components/ui/toast';
import { briefBytes, type FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { MAX_WAITING } from './share-limits';
import { claimShare, clearSharedInAddress, deleteSharedVideo, type SharedVideo } from './shared-store';
import { sharedIds } from './shared-videos';

/** Videos that another app shared, ready for the studio. */
export interface OpenedShare {
  files: File[];
  /** What the other app called the first one; empty if it didn't. */
  title: string;
  /** Whether they're opened for the first time, and not by a reload. */
  isNew: boolean;
}

/** What the studio says if another app shared something that isn't there. Keyed by what the address has for its id. */
const PROBLEMS: Record<string, string> = {
  none: 'The app you shared from didn’t send a video. Try sharing it again, or choose the file here.',
  many: `You can share up to ${MAX_WAITING.videos} videos and ${briefBytes(MAX_WAITING.bytes)} at once. Share fewer, or choose them here.`,
  full: 'This device doesn’t have enough space to take the video. Free up some space, or choose the file here.',
  missing: 'Daylight couldn’t take the video you shared. Choose the file here instead.',
};

const UNKNOWN =
  'The video you shared isn’t on this device anymore. It may already be uploaded. If it isn’t, share it again or choose the file here.';

function explainMissing(share: string): { problem: string } {
  clearSharedInAddress();
  return { problem: (Object.hasOwn(PROBLEMS, share) && PROBLEMS[share]) || UNKNOWN };
}

/**
 * Finds the videos that another app shared, which are this account's from now on, or why there are none.
 * @param share the id in the studio's address
 */
export async function findShare(
  share: string,
  owner: string,
): Promise<readonly SharedVideo[] | { problem: string }> {
  const videos = Object.hasOwn(PROBLEMS, share) ? [] : await claimShare(share, owner).catch(() => []);
  return videos.length > 0 ? videos : explainMissing(share);
}

/**
 * Returns the videos that another app shared, which the user wants, or why there are none. Says which ones can't be
 * uploaded, and deletes those. The others stay on this device until they're uploaded or removed.
 * @param share the id in the studio's address
 */
export async function openShare(
  share: string,
  owner: string,
  limits: FileLimits,
): Promise<OpenedShare | { problem: string }> {
  const videos = await claimShare(share, owner, { isAccepted: true }).catch(() => []);
  if (videos.length === 0) return explainMissing(share);
  const isNew = !videos.every((video) => video.isAccepted);
  const opened: OpenedShare = { files: [], title: '', isNew };
  for (const { id, file, title } of videos) {
    const read = await readChosenFile(file, limits);
    if ('problem' in read) {
      toast.error(read.problem);
      await deleteSharedVideo(id);
      continue;
    }
    sharedIds.set(read.video, id);
    opened.title ||= title;
    opened.files.push(read.video);
  }
  return opened;
}
