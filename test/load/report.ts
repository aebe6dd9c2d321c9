import type { RequestCounts } from './browser';
import type { Check } from './checks';
import type { Kill } from './kills';
import { type LoadOptions, VICTIMS } from './options';
import {
  countHandles,
  describeSeries,
  FLAT_BYTES,
  FLAT_HANDLES,
  isLong,
  type Lifetime,
  type Series,
} from './process-samples';
import type { Outcome } from './uploads';

/** Everything that a run found out. */
export interface LoadResult {
  options: LoadOptions;
  /** How long everything took to settle after the last upload started, in seconds. */
  drainSeconds: number;
  outcomes: Outcome[];
  kills: Kill[];
  requests: RequestCounts;
  /** How often people had to try again by hand, by what they read. */
  retries: Record<string, number>;
  lifetimes: Lifetime[];
  checks: Check[];
}

const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Returns a value below which this share of all values is. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : `${(milliseconds / 1000).toFixed(1)} s`;

const spread = (values: readonly number[]): string[] =>
  [0.5, 0.95, 1].map((share) => seconds(quantile(values, share)));

const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);

function describeUploads(outcomes: readonly Outcome[]): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const own = outcomes.filter((outcome) => outcome.kind === kind);
    const playable = known(own.map(({ playableMs }) => playableMs));
    return [kind, own.length, own.filter(({ problem }) => !problem).length, ...spread(playable)];
  });
  const playable = known(outcomes.map(({ playableMs }) => playableMs));
  const settled = outcomes.filter(({ problem }) => !problem).length;
  const sent = known(outcomes.map(({ sentMs }) => sentMs));
  return `${table(
    ['uploads', 'number', 'settled', 'playable: median', '95 %', 'longest'],
    [...rows, ['all', outcomes.length, settled, ...spread(playable)]],
  )}

Time to playable counts from the site’s confirmation of the upload. Sending took ${spread(sent).join(', ')} (median, 95 %, longest).`;
}

function describeKills(kills: readonly Kill[]): string {
  const rows = VICTIMS.map((victim) => {
    const own = kills.filter((kill) => kill.victim === victim);
    const healthy = known(own.map(({ healthyMs }) => healthyMs));
    const unhealthy = own.length - healthy.length;
    return [
      victim,
      own.length,
      seconds(
        quantile(
          own.map(({ downMs }) => downMs),
          0.5,
        ),
      ),
      seconds(
        quantile(
          own.map(({ startMs }) => startMs),
          0.5,
        ),
      ),
      seconds(
        quantile(
          own.map(({ startMs }) => startMs),
          1,
        ),
      ),
      `${seconds(quantile(healthy, 1))}${unhealthy > 0 ? `, ${unhealthy} times not within 2 min` : ''}`,
    ];
  });
  return table(
    [
      'killed',
      'times',
      'down: median',
      'until it answers: median',
      'longest',
      'until the site is healthy: longest',
    ],
    rows,
  );
}

const counted = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([what, number]) => `${number} × ${what}`)
    .join(', ') || 'none';

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

function describeProcesses(lifetimes: readonly Lifetime[]): string {
  const rows = lifetimes.map((lifetime) => {
    const { memory, handles } = seriesOf(lifetime);
    const minutes = (lifetime.samples.at(-1)?.at ?? 0) / 60_000;
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
of threads, since a worker that loads its speech engine has one more. A minute after each change is left out. Flat means at most 20 % of the median; up to ${megabytes(FLAT_BYTES)} and ${FLAT_HANDLES} handles never count.`;
}

/** Says what handles a process had a third into its life, and in the end. Ports are those of the services in the logs. */
function describeHandles({ samples }: Lifetime): string {
  const shown = [samples[Math.floor(samples.length / 3)], samples.at(-1)];
  return shown.map((sample) => counted(sample?.handles ?? {})).join(' → ');
}

/** Checks that no process grows. */
export function checkGrowth(lifetimes: readonly Lifetime[]): Check {
  const problems = lifetimes.filter(isLong).flatMap((lifetime) => {
    const { memory, handles } = seriesOf(lifetime);
    const name = `${lifetime.name} (${lifetime.pid})`;
    return [
      ...(memory.isFlat ? [] : [`${name} grew by ${megabytes(memory.growth)}`]),
      ...(handles.isFlat
        ? []
        : [`${name} opened ${Math.round(handles.growth)} more handles: ${describeHandles(lifetime)}`]),
    ];
  });
  return { name: 'Memory and file handles are flat', problems };
}

/** How many problems of a check the report lists. */
const MAX_LISTED = 40;

function describeCheck({ name, problems }: Check): string {
  const listed = problems.slice(0, MAX_LISTED).map((problem) => `  - ${problem}`);
  const rest = problems.length - listed.length;
  return [
    `- ${problems.length === 0 ? '✓' : '✗'} ${name}`,
    ...listed,
    ...(rest > 0 ? [`  - and ${rest} more`] : []),
  ].join('\n');
}

/** Returns the report as Markdown. */
export function formatReport(result: LoadResult): string {
  const { options, drainSeconds, outcomes, kills, requests, retries, lifetimes, checks } = result;
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  return `# Load

${options.uploads} uploads by ${options.people} people in ${options.minutes} minutes, ${kills.length} kills, seed ${options.seed}. Everything had
settled ${Math.round(drainSeconds)} s after the last minute. **${failed === 0 ? 'Passed' : `Failed: ${failed} of ${checks.length} checks`}.**

## Checks

${checks.map(describeCheck).join('\n')}

## Uploads

${describeUploads(outcomes)}

## Kills

${describeKills(kills)}

## Requests

- site: ${counted(requests.site)}
- storage: ${counted(requests.storage)}
- tried again by hand: ${counted(retries)}

## Memory and file handles

${describeProcesses(lifetimes)}
`;
}
