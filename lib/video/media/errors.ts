import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

export type MediaErrorKind =
  | 'unreadable'
  | 'source_missing'
  | 'no_video'
  | 'replaced'
  | 'too_large'
  | 'timed_out'
  | 'too_slow'
  | 'disk_full'
  | 'no_ffmpeg'
  | 'failed';

const MESSAGES: Record<MediaErrorKind, string> = {
  unreadable: 'We can’t read this file. It may be damaged or in a format we don’t support.',
  source_missing: 'We couldn’t find this video in storage. Upload it again.',
  no_video: 'We couldn’t find any video in this file.',
  replaced: 'This file changed after you uploaded it, so we stopped processing it.',
  too_large: 'This video is too large or too long for us to process.',
  timed_out: 'This video took too long to process.',
  too_slow: 'This video takes longer to prepare than this site allows.',
  disk_full: 'The server doesn’t have enough space to process this video.',
  no_ffmpeg: 'This server isn’t set up to process videos.',
  failed: 'Something went wrong while we processed this video.',
};

/**
 * Why a file couldn't be probed or prepared. `message` is a sentence for the person who uploaded it; `detail` has the
 * technical details, for the log only, since it may contain paths. `unreadable`, `no_video`, `too_large`, `too_slow`
 * (for the longest step that the host allows), `replaced` (storage has something else than what was uploaded), and
 * `source_missing` (storage has nothing) are properties of the file and never worth a retry; the others may be
 * temporary.
 */
export class MediaError extends Error {
  readonly kind: MediaErrorKind;
  readonly detail: string;

  /** @param message another sentence than the kind's own */
  constructor(kind: MediaErrorKind, detail = '', message = MESSAGES[kind]) {
    super(message);
    withSafeMessage(this);
    this.name = 'MediaError';
    this.kind = kind;
    this.detail = detail;
  }
}

/** There's an ffmpeg, but this system doesn't isolate it as the settings ask. `detail` says how it would run. */
export class NoSandboxError extends MediaError {
  constructor(detail: string) {
    super('no_ffmpeg', detail);
    this.name = 'NoSandboxError';
  }
}
