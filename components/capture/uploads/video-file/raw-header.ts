import type { FoundTime } from './local-time';

/** What marks the video of a Live Photo. An iPhone's other videos may have an identifier, too. */
export interface LivePhotoMarks {
  hasIdentifier: boolean;
  /** Whether it says at which moment the photo was taken. */
  hasStillTime: boolean;
}

/** What a video's container says, as it says it. */
export interface RawHeader {
  /** Milliseconds since 1970. */
  createdAt?: number | null;
  /** Times as text, the most reliable first. */
  times?: readonly (FoundTime | null)[];
  isUtc?: boolean;
  livePhoto?: LivePhotoMarks;
  /** ISO 6709: +52.5200+013.4050/ */
  location?: string | undefined;
  seconds?: number | null;
}
