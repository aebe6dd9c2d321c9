const SHARES = 7;
const DAY_MS = 86_400_000;

/** Reads `FUZZ_SHARE`. @throws Error unless it's unset, `all`, or the number of a share */
function readShare(): number | null {
  const { FUZZ_SHARE: given = String((Math.floor(Date.now() / DAY_MS) % SHARES) + 1) } = process.env;
  if (given === 'all') return null;
  const share = Number(given);
  if (!Number.isInteger(share) || share < 1 || share > SHARES) {
    throw new Error(`FUZZ_SHARE is a number from 1 to ${SHARES}, or "all".`);
  }
  return share;
}

const share = readShare();

/** Says what this run tries, for those who read why it has failed. */
export const shareNotice = share ? `share ${share} of ${SHARES}, as with FUZZ_SHARE=${share}` : 'all';

/**
 * Returns those of an operation's or page's hostile requests, or of the corpus of videos, that this run tries: a seventh, and
 * another one each day, so that a week tries them all. `FUZZ_SHARE` repeats a share (`1` to `7`), or tries all (`all`).
 * @param turn a number of the operation's own: each has the same value in another share
 */
export function ofThisRun<T>(all: readonly T[], turn: number): T[] {
  return all.filter((_, index) => share === null || (index + turn) % SHARES === share - 1);
}
