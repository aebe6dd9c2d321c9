import { performance } from 'node:perf_hooks';

interface Bucket {
  tokens: number;
  /** When it had so many, by `performance.now()`. */
  since: number;
}

/**
 * Creates token buckets by owner. Each holds `burst` tokens, and gets `perSecond` new ones while it isn't full. They're in
 * this process's memory: several processes allow as many times more, and a restart fills them, which is fine where a limit
 * protects availability only. A full bucket is forgotten.
 */
export function createTokenBuckets({ perSecond, burst }: { perSecond: number; burst: number }) {
  /** The longest unused first. */
  const buckets = new Map<string, Bucket>();
  const tokensOf = ({ tokens, since }: Bucket, now: number) =>
    Math.min(burst, tokens + ((now - since) / 1000) * perSecond);
  const forgetFull = (now: number) => {
    for (const [owner, bucket] of buckets) {
      if (tokensOf(bucket, now) < burst) return;
      buckets.delete(owner);
    }
  };
  return {
    /**
     * Takes tokens, or none if there aren't enough.
     * @param count at most `burst`
     * @returns 0, or the seconds until there are enough
     */
    take(owner: string, count = 1, now = performance.now()): number {
      const bucket = buckets.get(owner);
      const tokens = bucket ? tokensOf(bucket, now) : burst;
      if (tokens < count) return (count - tokens) / perSecond;
      buckets.delete(owner);
      forgetFull(now);
      buckets.set(owner, { tokens: tokens - count, since: now });
      return 0;
    },
    /** Returns how many owners have a bucket that wasn't full when it was last used. */
    size: () => buckets.size,
  };
}
