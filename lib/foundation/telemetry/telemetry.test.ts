import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OtlpSink, startOtlpSink } from '@/test/otlp-sink';
import { activeTelemetry, setTelemetry } from './active';
import { METRICS } from './metric-definitions';
import { record } from './metrics';
import { describeStatement, linkTo, recordOpening, showTimings, traced, tracedQuery } from './spans';

const PRIVATE = 'The day we met at the harbor';
const ROUTE = '/api/v1/entry/[id]/upload/complete';

let sink: OtlpSink;
const flush = () => activeTelemetry()?.flush();
const spanNamed = (name: string) => sink.spans().filter((span) => span.name === name);

beforeAll(async () => {
  expect(await traced('off', async () => 'done')).toBe('done');
  sink = await startOtlpSink();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = sink.url;
  const settings = {
    OTEL_SERVICE_NAME: 'daylight',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    OTEL_METRIC_EXPORT_INTERVAL: 60_000,
    SERVERLESS: false,
  } as const;
  (await import('./sdk')).startSdk(settings, { version: '1.0.0', isServer: true });
});
afterAll(async () => {
  setTelemetry(undefined);
  await sink.stop();
});

/** Answers one request by a handler that Next would have found. */
async function request(path: string, handle: () => Promise<number>, route: string | null = ROUTE) {
  const server = createServer(async (incoming, outgoing) => {
    const meta = { match: route && { definition: { pathname: route } } };
    Object.assign(incoming, { [Symbol.for('NextInternalRequestMeta')]: meta });
    outgoing.writeHead(await handle()).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: { connection: 'close' },
  });
  await response.text();
  await new Promise((resolve) => server.close(resolve));
  return response;
}

it('puts the requests of an upload, its opening, and its jobs in one trace: the entry’s', async () => {
  const entryId = uuidv7();
  await request(`/api/v1/entry/${entryId}/upload/complete?title=${PRIVATE}`, async () => {
    await tracedQuery('update "entries" set "title" = $1', async () => null);
    recordOpening(entryId, 'upload', { 'daylight.bytes.in': 5 });
    return 200;
  });
  // Another process, later.
  await traced('process-video probe', () => traced('ffprobe', async () => null), { traceOf: entryId });
  await flush();
  const traceId = entryId.replaceAll('-', '');
  const spans = sink.spans().filter((span) => span.traceId === traceId);
  const parents = Object.fromEntries(
    spans.map(({ name, parentSpanId }) => [
      name,
      spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? null,
    ]),
  );
  expect(parents).toEqual({
    upload: null,
    [`GET ${ROUTE}`]: 'upload',
    'update entries': `GET ${ROUTE}`,
    'process-video probe': 'upload',
    ffprobe: 'process-video probe',
  });
  expect(Math.abs((spans.find(({ name }) => name === 'upload')?.startMs ?? 0) - Date.now())).toBeLessThan(
    60_000,
  );
  expect(JSON.stringify(spans)).not.toContain('harbor');
});

it('links the request that creates an entry to its trace', async () => {
  const entryId = uuidv7();
  await request(
    '/api/v1/uploads',
    async () => {
      linkTo(entryId);
      return 201;
    },
    '/api/v1/uploads',
  );
  await flush();
  const [span] = spanNamed('GET /api/v1/uploads');
  expect(span?.links?.map(({ traceId }) => traceId)).toEqual([entryId.replaceAll('-', '')]);
});

it('says nothing that isn’t on the list, and no text that isn’t an identifier', async () => {
  await traced(`Title ${PRIVATE}`, async () => null, {
    attributes: {
      title: PRIVATE,
      'daylight.step': PRIVATE,
      'daylight.kind': 'mail',
      'url.full': '/search?q=x',
    },
  });
  const failing = traced('fails', () => Promise.reject(Object.assign(new Error(PRIVATE), { code: 'E1' })));
  await expect(failing).rejects.toThrow(PRIVATE);
  await flush();
  expect(spanNamed('other').map(({ attributes }) => attributes)).toEqual([
    { 'daylight.step': 'other', 'daylight.kind': 'mail' },
  ]);
  expect(spanNamed('fails')[0]).toMatchObject({
    attributes: { 'error.type': 'Error.E1' },
    status: { code: 2 },
  });
  expect(JSON.stringify(sink.spans())).not.toContain('harbor');
});

it('traces no query of a poll, which belongs to no request or job', async () => {
  await tracedQuery('select 1 from "polled"', async () => null);
  await flush();
  expect(spanNamed('select polled')).toEqual([]);
});

it('shows the parts of a response’s time to people who are signed in, and to nobody else', async () => {
  const query = () => tracedQuery('select from "notes"', async () => null);
  const shown = await request('/api/v1/notes', async () => {
    await traced('authorize', query, { phase: 'auth' });
    showTimings();
    await query();
    return 200;
  });
  expect(shown.headers.get('server-timing')).toMatch(/^total;dur=[\d.]+, db;dur=[\d.]+, auth;dur=[\d.]+$/);
  const hidden = await request('/api/v1/login', async () => {
    await query();
    return 401;
  });
  expect(hidden.headers.get('server-timing')).toBeNull();
});

it('times requests by route and status, and files not at all', async () => {
  await request('/nowhere/Some%20title', async () => 404, null);
  await request('/_next/static/a.js', async () => 200, null);
  await flush();
  const routes = sink.points('http.server.request.duration').map(({ attributes }) => attributes);
  expect(routes).toContainEqual({
    'http.request.method': 'GET',
    'http.route': 'none',
    'http.response.status_code': 404,
  });
  const succeeded = routes.filter(
    (one) => one['http.request.method'] === 'GET' && one['http.response.status_code'] === 200,
  );
  expect(succeeded.map((one) => one['http.route'])).not.toContain('none');
});

it('exports each recorded metric with its unit', async () => {
  for (const [name, { kind }] of Object.entries(METRICS)) {
    if (kind === 'gauge' || kind === 'total') continue;
    record(name as Parameters<typeof record>[0], 1, { 'daylight.outcome': 'done' });
  }
  await flush();
  for (const [name, { kind, unit }] of Object.entries(METRICS)) {
    if (kind === 'gauge' || kind === 'total') continue;
    expect(sink.points(name).at(-1), name).toMatchObject({ unit });
  }
  for (const name of ['process.memory.usage', 'process.cpu.time', 'daylight.disk.free'])
    expect(sink.points(name).at(-1)?.value, name).toBeGreaterThan(0);
});

it.each([
  ['select "id" from "entries" where "id" = $1', 'select', 'entries'],
  ['insert into "outbox" ("id") values ($1)', 'insert', 'outbox'],
  ['update "entries" set "title" = $1 where exists (select from notes)', 'update', 'entries'],
  ['delete from "notes" where "id" = $1', 'delete', 'notes'],
  [
    '\n    with counted as (insert into "rate_limits" values ($1)) insert into outbox select 1',
    'insert',
    'outbox',
  ],
  ['begin', 'begin', undefined],
  ['', 'other', undefined],
])('describes %j by its verb and table', (text, operation, table) => {
  expect(describeStatement(text)).toEqual({ operation, table });
});
