import type { Lifetime } from './process-samples';

/** Returns a process that was looked at every ten seconds. */
export const lifetime = (name: string, minutes: number, bytesAt: (minute: number) => number): Lifetime => ({
  name,
  pid: 1,
  samples: Array.from({ length: minutes * 6 + 1 }, (_, index) => ({
    at: index * 10_000,
    bytes: bytesAt(index / 6),
    handles: { file: 20, 'socket to 5432': 10 },
    threads: 11,
  })),
});
