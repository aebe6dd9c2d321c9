import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerJobs } from '@/inngest/register';
import { sign } from '@/lib/foundation/job-signature';
import { type Runner, startRunner } from '@/local/inngest/server';
import { freePort } from '@/local/up/ports';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { GET, POST, PUT } from './route';

const SIGNING_KEY = `signkey-test-${randomBytes(32).toString('hex')}`;
const OTHER_KEY = `signkey-test-${randomBytes(32).toString('hex')}`;
const ORIGIN = 'https://app.internal';
const JOBS_URL = `${ORIGIN}/api/inngest`;

let runner: Runner;
let tearDown: () => Promise<void>;
/** Every address that the runner was told to send jobs to. */
const registeredUrls: unknown[] = [];

beforeAll(async () => {
  const port = await freePort();
  tearDown = await useFreshDatabase({
    site: ORIGIN,
    settings: {
      INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
      INNGEST_EVENT_KEY: 'key',
      INNGEST_SIGNING_KEY: SIGNING_KEY,
    },
  });
  registerJobs();
  // Later than the app, which has to try again.
  runner = await startRunner({
    databaseUrl: String(process.env['DATABASE_URL']),
    eventKey: 'key',
    signingKey: SIGNING_KEY,
    port,
    log: ({ url }) => url && registeredUrls.push(url),
  });
});
afterAll(async () => {
  await runner.close();
  await tearDown();
});

const spoofed = {
  host: 'stranger.example',
  'x-forwarded-host': 'stranger.example',
  'x-forwarded-proto': 'http',
  forwarded: 'host=stranger.example;proto=http',
};

function call(method: 'GET' | 'POST' | 'PUT', body: string, headers: Record<string, string> = {}) {
  const handler = { GET, POST, PUT }[method];
  const request = new Request('http://stranger.example/api/inngest', {
    method,
    headers: { ...spoofed, ...headers },
    ...(method === 'GET' ? {} : { body }),
  });
  return handler(request as never, undefined as never);
}

const signature = (body: string, key = SIGNING_KEY) => ({
  'x-inngest-signature': sign(Buffer.from(body), key),
});

it('registers the address of the settings, as soon as the job service is there', async () => {
  await waitUntil(() => registeredUrls.length > 0, 60_000);
  expect(registeredUrls).toEqual([JOBS_URL]);
});

it.each(['GET', 'POST', 'PUT'] as const)('refuses an unsigned %s and says nothing', async (method) => {
  const body = JSON.stringify({ url: 'http://stranger.example/api/inngest' });
  const old = Math.round(Date.now() / 1000) - 3600;
  const unsigned: Record<string, string>[] = [
    {},
    { 'x-inngest-sync-kind': 'in_band' },
    { 'x-inngest-signature': 'nonsense' },
    { 'x-inngest-signature': `t=${old}&s=${'0'.repeat(64)}` },
    signature(body, OTHER_KEY),
    signature('another body'),
  ];
  for (const headers of unsigned) {
    const answer = await call(method, body, headers);
    expect(answer.status).toBe(401);
    expect(Object.keys(await answer.json())).toEqual(['message', 'code']);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-inngest'))).toEqual([]);
  }
  expect(registeredUrls).toEqual([JOBS_URL]);
});

it('registers no other address, whatever Host a signed request names', async () => {
  const known = await call('PUT', '', signature(''));
  expect([known.status, await known.json()]).toMatchObject([200, { message: 'Successfully registered' }]);
  const body = JSON.stringify({ url: 'http://stranger.example/api/inngest' });
  const inBand = await call('PUT', body, { ...signature(body), 'x-inngest-sync-kind': 'in_band' });
  expect(inBand.status).toBe(200);
  const text = await inBand.text();
  expect(JSON.parse(text)).toMatchObject({ url: JOBS_URL });
  expect(text).not.toContain('stranger.example');
  expect(registeredUrls).toEqual([JOBS_URL]);
});

it('takes 4 MB of signed state, and refuses 4 MB that unfold to a hundred times their size', async () => {
  const unfolding = `[1,${'{},'.repeat(1_400_000)}1]`;
  expect((await call('POST', unfolding, signature(unfolding, OTHER_KEY))).status).toBe(401);
  const state = JSON.stringify({ padding: 'x'.repeat(4_200_000) });
  // Past the signature it's a call that names no function.
  const answer = await call('POST', state, signature(state));
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('No function ID')]);
});
