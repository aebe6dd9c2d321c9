/** A metric: what it's measured in (UCUM) and what it means. A gauge is read when metrics are exported. */
export interface Metric {
  kind: 'counter' | 'updown' | 'histogram' | 'gauge' | 'total';
  unit: string;
  description: string;
  /** The upper bounds of a histogram's buckets. */
  buckets?: number[] | undefined;
}

const define =
  <Kind extends Metric['kind']>(kind: Kind) =>
  (unit: string, description: string, buckets?: number[]) => ({ kind, unit, description, buckets });
const counter = define('counter');
const updown = define('updown');
const histogram = define('histogram');
const gauge = define('gauge');
const total = define('total');

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 7200];

/** Every metric, by its OpenTelemetry name. `docs/telemetry.md` lists them, and `deploy/alerts.yaml` uses some. */
export const METRICS = {
  'http.server.request.duration': histogram(
    's',
    'Time from a request’s headers to the end of its response, by method, route, and status.',
    SECONDS,
  ),
  'daylight.requests.shed': counter(
    '{request}',
    'Requests refused because the process was busy (unavailable) or their sender had too many at once (rate_limited), by error.',
  ),
  'db.client.connection.count': updown('{connection}', 'Database connections in use.'),
  'db.client.connection.wait_time': histogram(
    's',
    'Time that a query or transaction waited because every connection was in use.',
    SECONDS,
  ),
  'db.client.connection.timeouts': counter(
    '{timeout}',
    'Queries and transactions that failed because no connection became free in time.',
  ),
  'nodejs.eventloop.delay.p99': gauge(
    's',
    'The 99th percentile of the event loop’s delay since the last export.',
  ),
  'daylight.eventloop.delay': histogram(
    's',
    'Time that something blocked the event loop, from 20 ms on, by the method and route that were being answered; once for each of up to three.',
    SECONDS,
  ),
  'process.memory.usage': gauge('By', 'Resident memory of the process.'),
  'process.cpu.time': total('s', 'Processor time of the process itself.'),
  'daylight.children.cpu.time': total(
    's',
    'Processor time of finished child processes, which are ffmpeg and ffprobe. Linux only.',
  ),
  'daylight.disk.free': gauge('By', 'Free space on the disk that jobs work on.'),
  'daylight.disk.free.share': gauge(
    '1',
    'Share of disk space that’s free, 0 to 1, for TMPDIR and each of DISK_FOLDERS.',
  ),
  'daylight.job.step.duration': histogram(
    's',
    'Time that one attempt of a job’s step took, by function, step, and outcome: done, refused, stopped, retried, or failed.',
    JOB_SECONDS,
  ),
  'daylight.ffmpeg.duration': histogram(
    's',
    'Time that a run of ffmpeg or ffprobe took, by program and outcome.',
    JOB_SECONDS,
  ),
  'daylight.video.processed': counter('s', 'Length of the videos made ready to play.'),
  'daylight.outbox.sent': counter(
    '{message}',
    'Attempts to send a message from the outbox, by kind (event or mail) and outcome: sent, retried, or rejected.',
  ),
  'daylight.outbox.age': gauge('s', 'How long ago the oldest message in the outbox was due, by kind.'),
  'daylight.outbox.rejected': gauge(
    '{message}',
    'Messages in the outbox that their service rejected permanently.',
  ),
  'daylight.uploads.waiting.age': gauge(
    's',
    'How long the oldest uploaded video has gone without a sign of its job.',
  ),
  'daylight.health': gauge('{check}', '1 while a check of /api/health passes, 0 while it fails, by check.'),
} satisfies Record<string, Metric>;

type MetricName = keyof typeof METRICS;
type NameOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

/** A metric that's measured as things happen. */
export type RecordedMetric = NameOf<'counter' | 'updown' | 'histogram'>;
/** A metric that's read at each export. */
export type ObservedMetric = NameOf<'gauge' | 'total'>;
