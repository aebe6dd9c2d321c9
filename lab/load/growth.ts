import type { Check } from './checks';
import { counted, table } from './markdown';
import {
  countHandles,
  describeSeries,
  FLAT_BYTES,
  FLAT_HANDLES,
  isLong,
  type Lifetime,
  type Series,
} from './process-samples';

const livedMs = ({ samples }: Lifetime): number => samples.at(-1)?.at ?? 0;
const serviceOf = ({ name }: Lifetime): string => name.split(' ')[0] ?? name;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Describes the memory and the file handles of a process. */
function seriesOf({ samples }: Lifetime): { memory: Series; handles: Series } {
  return {
    memory: describeSeries(
      samples.map(({ at, bytes, threads }) => [at, bytes, threads]),
      FLAT_BYTES,
    ),
    handles: describeSeries(
      samples.map(({ at, handles, threads }) => [at, countHandles(handles), threads]),
      FLAT_HANDLES,
    ),
  };
}

const signed = (value: number, show: (value: number) => string): string =>
  `${value < 0 ? '−' : '+'}${show(Math.abs(value))}`;

/** Says what each process used, as a table. */
export function describeProcesses(lifetimes: readonly Lifetime[]): string {
  const rows = lifetimes.map((lifetime) => {
    const { memory, handles } = seriesOf(lifetime);
    const minutes = livedMs(lifetime) / 60_000;
    const cells = (series: Series, show: (value: number) => string) => [
      [series.start, series.median, series.max].map(show).join(' / '),
      isLong(lifetime) ? signed(series.growth, show) : '–',
    ];
    return [
      `${lifetime.name} (${lifetime.pid})`,
      `${minutes.toFixed(1)} min`,
      ...cells(memory, megabytes),
      ...cells(handles, (value) => String(Math.round(value))),
    ];
  });
  return `${table(
    ['process', 'lived', 'memory: start / median / max', 'growth', 'handles: start / median / max', 'growth'],
    rows,
  )}

Growth is that of lines of least squares through the last two thirds of a life of five minutes or more, one for each number
of threads, since a worker that loads its speech engine has one more. A minute after each change is left out. Flat means that the
longest life of each service grows by at most 20 % of its median, and that no other uses more than 20 % above the longest’s
maximum. Up to ${megabytes(FLAT_BYTES)} and ${FLAT_HANDLES} handles never count.`;
}

/** Says what handles a process had a third into its life, and in the end. Ports are those of the services in the logs. */
function describeHandles({ samples }: Lifetime): string {
  const shown = [samples[Math.floor(samples.length / 3)], samples.at(-1)];
  return shown.map((sample) => counted(sample?.handles ?? {})).join(' → ');
}

/** Returns the process of each service that lived longest. Services are called `web 1`, `web 2`, and so on. */
function longestLives(lifetimes: readonly Lifetime[]): Map<string, Lifetime> {
  const longest = new Map<string, Lifetime>();
  for (const lifetime of lifetimes) {
    const before = longest.get(serviceOf(lifetime));
    if (!before || livedMs(lifetime) > livedMs(before)) longest.set(serviceOf(lifetime), lifetime);
  }
  return longest;
}

/** Says what's wrong with a process that lived long enough to show growth. */
function growthOf(lifetime: Lifetime): string[] {
  const { memory, handles } = seriesOf(lifetime);
  return [
    ...(memory.isFlat ? [] : [`grew by ${megabytes(memory.growth)}`]),
    ...(handles.isFlat
      ? []
      : [`opened ${Math.round(handles.growth)} more handles: ${describeHandles(lifetime)}`]),
  ];
}

const isAbove = (series: Series, { max, tolerance }: Series): boolean => series.max > max + tolerance;

/** Says what a process used that its service's longest life never did. While it starts, it reads hundreds of modules at once. */
function excessOf(lifetime: Lifetime, longest: Lifetime): string[] {
  const started = lifetime.samples.filter(({ at }) => at > 0);
  if (started.length === 0) return [];
  const [own, normal] = [seriesOf({ ...lifetime, samples: started }), seriesOf(longest)];
  return [
    ...(isAbove(own.memory, normal.memory) ? [`used ${megabytes(own.memory.max)}`] : []),
    ...(isAbove(own.handles, normal.handles)
      ? [`had ${own.handles.max} handles: ${describeHandles(lifetime)}`]
      : []),
  ];
}

/**
 * Checks that no process grows. Only the one of each service that lived longest shows growth, since the others were still
 * warming up when they were killed. Those may not use more than the longest did. Says nothing of services of which no
 * process lived long.
 */
export function checkGrowth(lifetimes: readonly Lifetime[]): Check {
  const longest = longestLives(lifetimes);
  const problems = lifetimes.flatMap((lifetime) => {
    const measure = longest.get(serviceOf(lifetime));
    if (!measure || !isLong(measure)) return [];
    const found = measure === lifetime ? growthOf(lifetime) : excessOf(lifetime, measure);
    return found.map((problem) => `${lifetime.name} (${lifetime.pid}) ${problem}`);
  });
  return { name: 'Memory and file handles are flat', problems };
}
