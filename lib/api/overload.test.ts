import { request as send } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  FLOOD,
  from,
  SOON,
  signedIn,
  startBusyServer,
  stopBusyServers,
  useProxySettings,
} from '@/test/busy-server';

/** More than a process works on at once. */
const MANY = 160;

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useProxySettings();
});
afterAll(() => takeDown());
afterEach(stopBusyServers);

it('refuses what it has no time for, answers everybody, and recovers', async () => {
  const { ask, flood, seen } = await startBusyServer();
  const answers = await flood('/journals', '/api/v1/tags');
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(FLOOD);
  expect(refused.length).toBeGreaterThan(0);
  expect(seen.most).toBeLessThanOrEqual(128);
  expect(new Set(seen.contexts), 'each is worked on in its own context').toEqual(new Set([true]));
  const [page] = refused.filter(({ headers }) => headers['content-type'] === 'text/html; charset=utf-8');
  const [json] = refused.filter(({ headers }) => headers['content-type'] === 'application/json');
  expect(page?.body).toContain('Daylight is busy right now');
  expect(JSON.parse(json?.body ?? '')).toEqual({
    code: 'unavailable',
    message: 'Daylight is busy right now. Try again in a moment.',
  });
  for (const { headers } of refused) expect(headers).toMatchObject({ 'retry-after': '5' });
  expect(await ask('/journals')).toMatchObject({ status: 200 });
});

it('takes on health checks, jobs, and files whatever else there is', async () => {
  const { ask, flood, seen } = await startBusyServer();
  const flooded = flood('/journals');
  await expect.poll(() => seen.running, SOON).toBeGreaterThan(0);
  const paths = [
    '/api/health',
    '/api/inngest',
    '/api/webhooks/stripe',
    '/_next/static/chunks/a.js',
    '/icon.svg',
    '/pictures/preview.png',
  ];
  const answers = await Promise.all(paths.map((path) => ask(path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  expect(await flooded).toHaveLength(FLOOD);
});

it('counts neither bodies that are still arriving nor clients that have left', async () => {
  const { ask, port, agent } = await startBusyServer();
  const open = (path: string, headers: Record<string, string>) => {
    const request = send({ port, path, agent, method: 'POST', headers: { ...headers, ...from('10.0.0.9') } });
    request.on('error', () => {});
    return request;
  };
  const unfinished = Array.from({ length: 300 }, () => open('/silent', { 'content-length': '10' }));
  for (const request of unfinished) request.write('half');
  const unanswered = Array.from({ length: 128 }, () =>
    send({ port, path: '/silent', agent }).on('error', () => {}),
  );
  for (const request of unanswered) request.end();
  const waiting = ask('/journals');
  for (const request of unanswered) request.destroy();
  expect(await waiting).toMatchObject({ status: 200 });
  for (const request of unfinished) request.destroy();
});

it('counts no answer that its client doesn’t read', async () => {
  const { ask, port, seen } = await startBusyServer();
  const clients = Array.from({ length: MANY }, (_, index) => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .pause();
    const path = index % 2 === 0 ? '/large' : '/stream';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.2.0.${index}\r\n\r\n`);
    return socket;
  });
  await expect.poll(() => seen.paths.length, SOON).toBe(clients.length);
  expect(await ask('/journals')).toMatchObject({ status: 200 });
  for (const client of clients) client.destroy();
});

it('counts what doesn’t wait for its body, whether or not that arrives', async () => {
  const { ask, port, agent, seen } = await startBusyServer();
  const headers = { 'content-length': '8', ...(await signedIn('ada')) };
  for (let index = 0; index < 100; index += 1) {
    const request = send({ port, path: '/unread', agent, method: 'POST', headers }).on('error', () => {});
    request.write('half');
  }
  await expect.poll(() => seen.paths.length, SOON).toBe(8);
  expect(await ask('/login')).toMatchObject({ status: 200 });
  expect(seen.paths).toHaveLength(9);
});
