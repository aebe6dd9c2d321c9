import { isShareTooLarge } from '@/components/capture/uploads/shared/share-limits';
import { storeShare } from '@/components/capture/uploads/shared/shared-store';
import { isDeviceFull } from '@/components/device/free-space';

/** The longest title of an entry, in characters. */
const MAX_TITLE = 200;

const toStudio = (shared: string): Response =>
  Response.redirect(new URL(`/upload?shared=${shared}`, self.location.origin).href, 303);

/** Returns what the other app called the video, in one line. */
function titleOf(form: FormData): string {
  const [title, text] = ['title', 'text'].map((name) => String(form.get(name) ?? '').trim());
  const [line = ''] = (title || text || '').split('\n');
  return /^https?:/.test(line) ? '' : line.trim().slice(0, MAX_TITLE);
}

/**
 * Stores the videos that another app shares, and answers with where the studio opens them: `/upload?shared=<id>`, or
 * `none` without a video, `many` if they're too many or too large, `full` if the device has no space for them, `missing` if
 * they can't be read or stored.
 * @param request the POST that the manifest's `share_target` describes
 */
export async function receiveShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    const files = form
      .getAll('video')
      .filter((value): value is File => value instanceof File && value.size > 0);
    if (files.length === 0) return toStudio('none');
    return toStudio(isShareTooLarge(files) ? 'many' : await storeShare(files, titleOf(form)));
  } catch (error) {
    return toStudio(isDeviceFull(error) ? 'full' : 'missing');
  }
}
