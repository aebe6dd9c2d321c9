import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

const MESSAGES = {
  unreadable: 'We can’t read this file. It may be damaged or in a format we don’t support.',
  source_missing: 'We couldn’t find this video in storage. Upload it again.',
  no_video: 'We couldn’t find any video in this file.',
  unsupported: 'This video is in a format we can’t read.',
  replaced: 'This file changed after you uploaded it, so we stopped processing it.',
  too_large: 'This video is too large or too long for us to process.',
  timed_out: 'This video took too long to process.',
  too_slow: 'This video takes longer to prepare than this site allows.',
  disk_full: 'The server doesn’t have enough space to process this video.',
  no_ffmpeg: 'This server isn’t set up to process videos.',
  failed: 'Something went wrong while we processed this video.',
};
export type MediaErrorKind = keyof typeof MESSAGES;

/**
 * Why a file couldn't be probed or prepared. `message` is a sentence for the person who uploaded it; `detail` has the
 * technical details, for the log only, since it may contain paths. `unreadable`, `no_video`, `unsupported`, `too_large`,
 * `too_slow` (for the longest step that the host allows), `replaced` (storage has something else than what was uploaded), and
 * `source_missing` (storage has nothing) are properties of the file and never worth a retry; the others may be
 * temporary.
 */
export class MediaError extends Error {
  override name = 'MediaError';

  /** @param message another sentence than the kind's own */
  constructor(
    readonly kind: MediaErrorKind,
    readonly detail = '',
    message: string = MESSAGES[kind],
  ) {
    super(message);
    withSafeMessage(this);
  }
}

/** There's an ffmpeg, but this system doesn't isolate it as the settings ask. `detail` says how it would run. */
export class NoSandboxError extends MediaError {
  override name = 'NoSandboxError';
}
