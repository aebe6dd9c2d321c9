import { toneMapOf } from '@/lib/video/media/color';
import type { MediaProbe } from '@/lib/video/media/media-probe';

/**
 * Counts changes of what becomes of files. Raise it when some would become another video than before, or no longer fail,
 * and let {@link remakeReasons} tell which those are.
 */
export const VIDEO_REVISION = 1;

/** Why a video is made again, as operators read it. */
export type RemakeReason = 'HDR' | 'interlaced' | 'joined' | 'sound' | 'stored twice';

/**
 * Returns what an earlier revision got wrong: it showed HDR as if it were ordinary video, left interlaced frames as they
 * were, copied H.264 that's configured anew midway as if it had one configuration, left out sounds that can be decoded now, and played the first track even if nothing was recorded on it.
 * @param source the uploaded file
 * @param published the video that was made from it
 */
export function remakeReasons(
  source: Pick<MediaProbe, 'video' | 'audio' | 'firstSound'>,
  published: { hasSound: boolean },
): RemakeReason[] {
  const { video, audio, firstSound } = source;
  const isSoundWrong = audio !== null && (!published.hasSound || audio.index !== firstSound);
  const wrong: Record<Exclude<RemakeReason, 'stored twice'>, boolean> = {
    HDR: toneMapOf(video) !== null,
    interlaced: video.scan === 'interlaced',
    joined: video.reconfigured && video.codec === 'h264',
    sound: isSoundWrong,
  };
  return (Object.keys(wrong) as (keyof typeof wrong)[]).filter((reason) => wrong[reason]);
}
