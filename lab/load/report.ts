import type { RequestCounts } from './browser';
import type { Check } from './checks';
import { describeProcesses } from './growth';
import type { Kill } from './kills';
import { counted, table } from './markdown';
import { type LoadOptions, VICTIMS } from './options';
import type { Lifetime } from './process-samples';
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
