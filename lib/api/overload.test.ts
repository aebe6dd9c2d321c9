import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { admitRequest } from './overload';

/** Many more than a process works on at once and lets wait. */
const FLOOD = 1500;
/** A page takes this many turns of the event loop, each for so many milliseconds. */
const TURNS = 10;
const TURN_MS = 0.5;

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends all requests at once and prints the answers. A process of its own, because it wouldn't be as quick beside the server. */
const FLOOD_CLIENT = `
  const { Agent, get } = require('node:http');
  const [port, count, ...paths] = process.argv.slice(1);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
  const ask = (index) => new Promise((resolve, reject) => {
    get({ port, agent, path: paths[index % paths.length] + '?' + index }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk) => { body += chunk; });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
    }).on('error', reject);
  });
  Promise.all(Array.from({ length: Number(count) }, (_, index) => ask(index))).then((answers) => {
    process.stdout.write(JSON.stringify(answers), () => process.exit());
  });
`;

const scope = new AsyncLocalStorage<string>();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that works as pages do: on the event loop, and taking turns with others. */
async function startBusyServer() {
  const seen = { running: 0, most: 0, contexts: [] as boolean[] };
  const work = () => {
    const end = performance.now() + TURN_MS;
    while (performance.now() < end);
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    scope.run(url, () =>
      admitRequest(request, response, async () => {
        seen.contexts.push(scope.getStore() === url);
        if (url.startsWith('/silent')) return;
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        response.once('close', () => {
          seen.running -= 1;
        });
        for (let turn = 0; turn < TURNS; turn += 1) {
          work();
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end('done');
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD });
  closing.push(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const flood = async (...paths: string[]): Promise<Answer[]> => {
    const client = spawn(process.execPath, ['-e', FLOOD_CLIENT, String(port), String(FLOOD), ...paths], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(await text(client.stdout));
  };
  /** Sends a request, and returns its answer. */
  const ask = async (path: string) => {
    const [answer] = (await once(send({ port, path, agent }).end(), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  return { port, agent, seen, ask, flood };
}

it('refuses what it has no time for, answers everybody, and recovers', async () => {
  const takeDown = await useFreshDatabase();
  closing.push(takeDown);
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
  await expect.poll(() => seen.running).toBeGreaterThan(0);
  const paths = [
    '/api/health',
    '/api/inngest',
    '/api/webhooks/stripe',
    '/_next/static/chunks/a.js',
    '/icon.svg',
  ];
  const answers = await Promise.all(paths.map(ask));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  expect(await flooded).toHaveLength(FLOOD);
});

it('counts neither bodies that are still arriving nor clients that have left', async () => {
  const { ask, port, agent } = await startBusyServer();
  const open = (path: string, headers: Record<string, string>) => {
    const request = send({ port, path, agent, method: 'POST', headers });
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
