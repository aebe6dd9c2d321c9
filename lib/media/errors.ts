import { withSafeMessage } from '@/lib/safe-error';

export type MediaErrorKind =
  | 'unreadable'
  | 'no_video'
  | 'replaced'
  | 'too_large'
  | 'timed_out'
  | 'disk_full'
  | 'no_ffmpeg'
  | 'failed';

const MESSAGES: Record<MediaErrorKind, string> = {
  unreadable: 'Daylight cannot read this file. It may be damaged, or of a kind that is not supported.',
  no_video: 'This file has no video that Daylight can read.',
  replaced:
    'The file changed after its upload was complete, so Daylight stopped working on it. Upload the video again.',
  too_large: 'This video is larger or longer than Daylight can prepare.',
  timed_out: 'Preparing this video took too long.',
  disk_full: 'The server has no room left to prepare this video.',
  no_ffmpeg: 'This server is not set up to prepare videos.',
  failed: 'This video could not be prepared.',
};

/**
 * Why a file could not be probed or prepared. `message` is a sentence for the person who uploaded it; `detail` is
 * the technical tail, for the log only, since it may hold paths. `unreadable`, `no_video`, `too_large` and
 * `replaced` (storage no longer holds what was uploaded) are properties of the file and never worth a retry; the others may pass.
 */
export class MediaError extends Error {
  readonly kind: MediaErrorKind;
  readonly detail: string;

  constructor(kind: MediaErrorKind, detail = '') {
    super(MESSAGES[kind]);
    withSafeMessage(this);
    this.name = 'MediaError';
    this.kind = kind;
    this.detail = detail;
  }
}
