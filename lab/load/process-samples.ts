import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { residentBytes } from '@/lab/bench/processes';

/** How often processes are looked at, in milliseconds. */
const SAMPLE_MS = 10_000;

interface Sample {
  /** Milliseconds since the process was first seen. */
  at: number;
  bytes: number;
  /** By what they are: `socket to 5432`, by the port at the other end, `pipe`, `file`, and so on. */
  handles: Record<string, number>;
  /** While a worker has its speech engine, it has one more, and some 350 MB. */
  threads: number;
}

/** What a process used from its start to its end. */
export interface Lifetime {
  name: string;
  pid: number;
  samples: Sample[];
}

/** How a series went. */
export interface Series {
  start: number;
  median: number;
  max: number;
  /** How much lines through its last two thirds, one for each number of threads, rise from their start to their end. */
  growth: number;
  /** What may come on top of what's normal. */
  tolerance: number;
  isFlat: boolean;
}

/** Returns the ports at the other end of a process's TCP connections, by inode (proc(5), /proc/net/tcp). */
function remotePorts(pid: number): Map<string, number> {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1),
  );
  return new Map(
    lines.flatMap((line) => {
      const [, , remote = '', , , , , , , inode] = line.trim().split(/\s+/);
      return inode ? [[inode, Number.parseInt(remote.split(':')[1] ?? '', 16)]] : [];
    }),
  );
}

/** Counts a process's open file handles by what they are. */
function readHandles(pid: number): Record<string, number> {
  const ports = remotePorts(pid);
  const counts: Record<string, number> = {};
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    let target: string;
    try {
      target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // It was closed in between.
      continue;
    }
    const [, type = 'file', inode = ''] = /^(\w+):\[?(\w+)/.exec(target) ?? [];
    const port = type === 'socket' ? ports.get(inode) : undefined;
    const kind = port === undefined ? type : `socket to ${port || 'anyone'}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Returns how many handles those are. */
export const countHandles = (handles: Record<string, number>): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);

/** Watches processes until it's stopped. @param find returns the ids of those that run, by name */
export function watchProcesses(find: () => Record<string, number | null>): {
  lifetimes: Lifetime[];
  stop(): void;
} {
  const lifetimes: Lifetime[] = [];
  const since = new Map<Lifetime, number>();
  const look = () => {
    for (const [name, pid] of Object.entries(find())) {
      if (pid === null) continue;
      try {
        const bytes = residentBytes(pid);
        const handles = readHandles(pid);
        const threads = readdirSync(`/proc/${pid}/task`).length;
        let lifetime = lifetimes.find((one) => one.pid === pid);
        if (!lifetime) {
          lifetime = { name, pid, samples: [] };
          lifetimes.push(lifetime);
          since.set(lifetime, performance.now());
        }
        const at = Math.round(performance.now() - (since.get(lifetime) ?? 0));
        lifetime.samples.push({ at, bytes, handles, threads });
      } catch {
        // It ended in between.
      }
    }
  };
  const timer = setInterval(look, SAMPLE_MS);
  return { lifetimes, stop: () => clearInterval(timer) };
}

/** A shorter life is mostly start-up. Milliseconds. */
const MIN_LIFETIME_MS = 300_000;
/** By how much of its median a series may grow and still count as flat. */
const FLAT_SHARE = 0.2;
/** How much growth never counts, whatever the median. */
export const FLAT_BYTES = 48_000_000;
export const FLAT_HANDLES = 12;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A value at a moment of a process, with the number of threads that it had then. */
export type Point = readonly [at: number, value: number, threads: number];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the slope of parallel lines of least squares through points, one line for each number of threads. So an engine
 * that's loaded or unloaded isn't taken for growth.
 */
function slopeOf(points: readonly Point[]): number {
  let [rise, spread] = [0, 0];
  for (const threads of new Set(points.map(([, , number]) => number))) {
    const level = points.filter(([, , number]) => number === threads);
    const [meanAt, meanValue] = [mean(level.map(([at]) => at)), mean(level.map(([, value]) => value))];
    for (const [at, value] of level) {
      rise += (at - meanAt) * (value - meanValue);
      spread += (at - meanAt) ** 2;
    }
  }
  return spread === 0 ? 0 : rise / spread;
}

/** How long after a thread has started or ended its memory still changes, in milliseconds. */
const SETTLING_MS = 60_000;

/** Leaves out the points shortly after the number of threads has changed. */
function steadyPoints(points: readonly Point[]): Point[] {
  let [since, before] = [Number.NEGATIVE_INFINITY, points[0]?.[2]];
  return points.filter(([at, , threads]) => {
    if (threads !== before) [since, before] = [at, threads];
    return at - since >= SETTLING_MS;
  });
}

/** Describes a series of a process. @param minTolerance the growth that never counts */
export function describeSeries(points: readonly Point[], minTolerance: number): Series {
  const values = points.map(([, value]) => value);
  const last = points.slice(Math.floor(points.length / 3));
  const growth = slopeOf(steadyPoints(last)) * ((last.at(-1)?.[0] ?? 0) - (last[0]?.[0] ?? 0));
  const middle = median(values);
  const tolerance = Math.max(minTolerance, middle * FLAT_SHARE);
  return {
    start: values[0] ?? 0,
    median: middle,
    max: Math.max(0, ...values),
    growth,
    tolerance,
    isFlat: growth <= tolerance,
  };
}

/** Returns whether a process lived long enough for its growth to mean something. */
export const isLong = ({ samples }: Lifetime): boolean => (samples.at(-1)?.at ?? 0) >= MIN_LIFETIME_MS;
