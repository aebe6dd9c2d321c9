import { loadCodePatiently } from '@/components/ui/load-code';

/**
 * The ids of the videos on this page that another app shared. Their uploads have the same ids, so that a video continues its
 * upload after a reload.
 */
export const sharedIds = new WeakMap<File, string>();

/** Deletes the stored copy of a video that another app shared, by its id. */
export async function discardSharedVideo(id: string): Promise<void> {
  const { deleteSharedVideo } = await loadCodePatiently(() => import('./shared-store'));
  await deleteSharedVideo(id);
}

/** Deletes the stored copy of a video that another app shared. Does nothing for other videos. */
export async function discardShared(video: File): Promise<void> {
  const id = sharedIds.get(video);
  if (id !== undefined) await discardSharedVideo(id);
}
