/**
 * How many videos, and bytes of them, may wait for somebody to say whether to add them. Another website can send some, too,
 * and must not fill the device. Two of the largest videos fit.
 */
export const MAX_WAITING = { videos: 20, bytes: 8_000_000_000 };

/** Returns whether these are more videos, or larger ones, than one share may have. */
export const isShareTooLarge = (files: readonly { size: number }[]): boolean =>
  files.length > MAX_WAITING.videos || files.reduce((sum, { size }) => sum + size, 0) > MAX_WAITING.bytes;

/**
 * Returns the ids of the shares that have to go before another one is stored: the oldest, and each as a whole.
 * @param waiting the videos that nobody has accepted, with the ids of their shares, shared at milliseconds since 1970
 * @param files what's about to be stored
 */
export function findSharesToDelete(
  waiting: readonly { share: string; file: { size: number }; sharedAt: number }[],
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
