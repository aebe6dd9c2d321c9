import type { FoundTime } from './local-time';

/** What a container has, as it has it. */
export interface RawHeader {
  createdAt?: number | null;
  /** Times as text, the most reliable first. */
  times?: readonly (FoundTime | null)[];
  /** ISO 6709: +52.5200+013.4050/ */
  location?: string | undefined;
  seconds?: number | null;
}
