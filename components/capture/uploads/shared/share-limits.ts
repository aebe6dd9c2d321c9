/** What limits look at. */
interface WaitingVideo {
  /** The id of the share that it came with. */
  share: string;
  file: { size: number };
  /** Milliseconds since 1970. */
  sharedAt: number;
}

/**
 * How many videos, and bytes of them, may wait for somebody to say whether to add them. Another website can send some, too,
 * and must not fill the device. Two of the largest videos fit.
 */
export const MAX_WAITING = { videos: 20, bytes: 8_000_000_000 };

const isOver = (videos: number, bytes: number): boolean =>
  videos > MAX_WAITING.videos || bytes > MAX_WAITING.bytes;

/** Returns whether these are more videos, or larger ones, than one share may have. */
export const isShareTooLarge = (files: readonly { size: number }[]): boolean =>
  isOver(
    files.length,
    files.reduce((sum, { size }) => sum + size, 0),
  );

/**
 * Returns the ids of the shares that have to go before another one is stored: the oldest, and each as a whole.
 * @param waiting the videos that nobody has accepted
 * @param files what's about to be stored
 */
export function findSharesToDelete(
  waiting: readonly WaitingVideo[],
  files: readonly { size: number }[],
): Set<string> {
  const kept = [...files];
  const dropped = new Set<string>();
  for (const { share, file } of waiting.toSorted((one, other) => other.sharedAt - one.sharedAt)) {
    kept.push(file);
    if (isShareTooLarge(kept)) dropped.add(share);
  }
  return dropped;
}
