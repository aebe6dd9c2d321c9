import { performance } from 'node:perf_hooks';

/** Creates what remembers when owners last did something, for an interval in milliseconds. */
export function createPace(intervalMs: number) {
  /** By owner; the longest ago first. */
  const last = new Map<string, number>();
  const isOver = (at: number, now: number) => now - at >= intervalMs;
  return {
    /** Returns whether an owner's interval isn't over yet. */
    isTooSoon: (owner: string, now = performance.now()): boolean =>
      !isOver(last.get(owner) ?? Number.NEGATIVE_INFINITY, now),
    /** Begins an owner's interval. */
    begin(owner: string, now = performance.now()): void {
      for (const [one, at] of last) {
        if (!isOver(at, now)) break;
        last.delete(one);
      }
      last.delete(owner);
      last.set(owner, now);
    },
    /** Returns how many owners are remembered. */
    size: () => last.size,
  };
}
