import type { FoundTime } from './local-time';

/** What a video's container says, as it says it. */
export interface RawHeader {
  /** Milliseconds since 1970. */
  createdAt?: number | null;
  /** Times as text, the most reliable first. */
  times?: readonly (FoundTime | null)[];
  /** ISO 6709: +52.5200+013.4050/ */
  location?: string | undefined;
  seconds?: number | null;
}
