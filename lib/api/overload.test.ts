import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { addPeerAddress } from '@/lib/http/client-address';
import { encodeAccess } from '@/lib/sessions/tokens';
import { useFreshDatabase } from '@/test/app-database';
import { readBytes } from './body';
import { errorResponse } from './error-response';
import { admitRequest } from './overload';

/** Many more than a process works on at once and has time for in two seconds. */
const FLOOD = 1500;
/** A page takes this many turns of the event loop, each for so many milliseconds. */
const TURNS = 10;
const TURN_MS = 0.5;
/** More than a process works on at once. */
const MANY = 160;
/** Long enough for a busy machine. */
const SOON = { timeout: 20_000 };

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends all requests at once, each from another address, and prints the answers. A process of its own, because it wouldn't
 * be as quick beside the server.
 */
const FLOOD_CLIENT = `
  const { Agent, get } = require('node:http');
  const [port, count, ...paths] = process.argv.slice(1);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
  const ask = (index) => new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': '10.1.' + (index >> 8) + '.' + (index & 255) };
    get({ port, agent, headers, path: paths[index % paths.length] + '?' + index }, (answer) => {
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
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ settings: { TRUSTED_PROXIES: '1' } });
});
afterAll(() => takeDown());
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Asked {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Waits for the answer to a request. If the connection ends first, it never comes. */
async function readAnswer(sent: ClientRequest): Promise<Asked> {
  const answer = await new Promise<IncomingMessage>((resolve) => {
    sent.once('response', resolve).once('error', () => {});
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** Reads a body as the API does, and sends the error if it's refused. */
async function isRefused(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const body = Readable.toWeb(request) as ReadableStream;
  const read = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const error = await readBytes(read).then(
    () => null,
    (reason: unknown) => errorResponse(reason, 'none'),
  );
  if (error) response.writeHead(error.status).end(await error.text());
  return error !== null;
}

/** An answer that no client's connection takes before it's read. */
const LARGE = Buffer.alloc(16_000_000);

/**
 * Starts a server that works as pages do: on the event loop, and taking turns with others. It reads a body first, as the
 * API does. What's asked at or below `/held` is answered when the test says so.
 */
async function startBusyServer() {
  const seen = { paths: [] as string[], running: 0, most: 0, contexts: [] as boolean[] };
  const held: (() => void)[] = [];
  const work = () => {
    const end = performance.now() + TURN_MS;
    while (performance.now() < end);
  };
  const server = createServer((request, response) => {
    addPeerAddress(request);
    const url = request.url ?? '';
    scope.run(url, () =>
      admitRequest(request, response, async () => {
        seen.contexts.push(scope.getStore() === url);
        seen.paths.push(url);
        if (url.startsWith('/unread')) return;
        if (request.method === 'POST' && (await isRefused(request, response))) return;
        if (url.startsWith('/silent')) return;
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        if (url.includes('/held')) await new Promise<void>((resolve) => held.push(resolve));
        if (url.startsWith('/stream')) {
          while (response.write(LARGE));
          return;
        }
        for (let turn = 0; turn < TURNS; turn += 1) {
          work();
          await new Promise((resolve) => setImmediate(resolve));
        }
        seen.running -= 1;
        response.end(url.startsWith('/large') ? LARGE : 'done');
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD });
  closing.push(() => {
    for (const answer of held) answer();
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
  const ask = (path: string, headers: Record<string, string> = {}) =>
    readAnswer(send({ port, path, agent, headers }).end());
  return { port, agent, seen, ask, flood, held };
}

/** Returns the headers of somebody who's signed in. */
async function signedIn(userId: string): Promise<{ cookie: string }> {
  const token = await encodeAccess({ userId, sessionId: 'none', verified: true });
  return { cookie: `other=1; next-auth.session-token=${token}` };
}

/** Returns the headers of somebody without a session. */
const from = (address: string) => ({ 'x-forwarded-for': address });

const statuses = (answers: { status: number | undefined }[]) => new Set(answers.map(({ status }) => status));

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
    const socket = connect(port, '127.0.0.1').pause();
    const path = index % 2 === 0 ? '/large' : '/stream';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.2.0.${index}\r\n\r\n`);
    closing.push(() => socket.destroy());
    return socket;
  });
  await expect.poll(() => seen.paths.length, SOON).toBe(clients.length);
  expect(await ask('/journals')).toMatchObject({ status: 200 });
});

it('answers fifty calls at once by one person, eight at a time', async () => {
  const { ask, seen } = await startBusyServer();
  const ada = await signedIn('ada');
  const paths = ['/api/v1/search?query=a', '/journals'];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ask(paths[index % 2] ?? '', { ...ada, ...from(`10.3.0.${index}`) }),
    ),
  );
  expect(statuses(answers)).toEqual(new Set([200]));
  expect(seen.most).toBe(8);
});

/** Collects the answers that have come so far. */
function collect(asked: Promise<Asked>[]): Asked[] {
  const answers: Asked[] = [];
  for (const one of asked) void one.then((answer) => answers.push(answer));
  return answers;
}

it('lets nobody wait for an account with hundreds of requests, and refuses those after two seconds', async () => {
  const { ask, held } = await startBusyServer();
  const [phone, laptop, bob] = await Promise.all([signedIn('ada'), signedIn('ada'), signedIn('bob')]);
  const paths = ['/held', '/api/v1/held', '/api/auth/held'];
  const answers = collect(
    Array.from({ length: 300 }, (_, index) => ask(paths[index % 3] ?? '', index % 2 ? phone : laptop)),
  );
  await expect.poll(() => held.length, SOON).toBe(8);
  expect(await ask('/journals', bob)).toMatchObject({ status: 200 });
  expect(await ask('/login', from('10.4.0.1'))).toMatchObject({ status: 200 });
  await expect.poll(() => answers.length, SOON).toBe(292);
  expect(statuses(answers)).toEqual(new Set([429]));
  for (const { headers } of answers) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const bodies = new Set(answers.map(({ body }) => body));
  expect([...bodies].filter((body) => body.includes('Daylight is busy right now'))).toHaveLength(1);
  expect([...bodies].filter((body) => body.startsWith('{')).map((body) => JSON.parse(body))).toEqual([
    { code: 'rate_limited', message: 'Too many requests at once. Wait a moment and try again.' },
  ]);
});

it('takes people in turn when everything is in use, whatever each of them has queued', async () => {
  const { ask, held, seen } = await startBusyServer();
  for (let index = 0; index < 20; index += 1) {
    const person = { ...(await signedIn(`person ${index}`)), ...from(`10.8.0.${index}`) };
    for (let count = 0; count < 25; count += 1) void ask('/held', person);
  }
  await expect.poll(() => held.length, SOON).toBeGreaterThanOrEqual(32);
  void ask('/held/late', from('10.6.0.1'));
  // Enough round trips for it to be in the queue.
  for (let count = 0; count < 3; count += 1) await ask('/api/health');
  let ended = 0;
  // A few at a time, so that its wait doesn't end first on a slow machine.
  while (!seen.paths.includes('/held/late') && ended < 372) {
    for (const answer of held.splice(0, 5)) answer();
    ended += 5;
    await ask('/api/health');
  }
  expect(ended).toBeLessThanOrEqual(40);
});

it.each([
  ['an address that claims to be many', (index: number) => `198.51.100.${index}, 10.5.0.1`],
  ['the networks of one site', (index: number) => `2001:db8:1:${index}::1`],
])('lets %s have no more than three quarters of everything', async (_, addressOf) => {
  const { ask, held } = await startBusyServer();
  for (let index = 0; index < MANY; index += 1) void ask('/held', from(addressOf(index)));
  // While the process is saturated, as it may be by the test's own requests, it's eight.
  await expect.poll(() => held.length, SOON).toBeGreaterThanOrEqual(8);
  for (let count = 0; count < 20; count += 1) {
    expect(await ask('/login', from('10.5.0.2'))).toMatchObject({ status: 200 });
    expect(held.length).toBeLessThanOrEqual(96);
  }
});

it('starts with no more bodies of one account at once, however many of them arrive', async () => {
  const { ask, port, agent, held, seen } = await startBusyServer();
  const ada = await signedIn('ada');
  const headers = { 'content-length': '8', ...ada };
  const bodies = Array.from({ length: 100 }, () =>
    send({ port, path: '/api/v1/held', agent, method: 'POST', headers }),
  );
  const answers = collect(bodies.map((body) => readAnswer(body)));
  for (const body of bodies) body.write('half');
  await expect.poll(() => seen.paths.length, SOON).toBe(bodies.length);
  for (const body of bodies) body.end('half');
  await expect.poll(() => answers.length, SOON).toBe(92);
  expect(held.length).toBe(8);
  expect(statuses(answers)).toEqual(new Set([429]));
  expect(await ask('/journals')).toMatchObject({ status: 200 });
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

it('answers that a file is missing without working on it', async () => {
  const { ask, seen } = await startBusyServer();
  const missing = [
    '/nothing.x',
    '/wp-login.php',
    '/icons/nothing.png',
    '/_next/data/x/settings.json',
    '/.env',
  ];
  for (const path of missing) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('We can’t find that page');
  }
  expect(seen.paths).toEqual([]);
  // Titles and tokens may have dots in them.
  const pages = [
    '/entry/x/a.day',
    '/entry/a.b',
    '/reset/a.b/c.d',
    '/reminders/off/a.b',
    '/api/v1/openapi.json',
  ];
  for (const path of pages) expect(await ask(path)).toMatchObject({ status: 200 });
});

it('knows every file that the app makes, or has in its public folder', async () => {
  const { ask, seen } = await startBusyServer();
  for (let index = 0; index < 128; index += 1) void ask('/held', from(`10.7.0.${index}`));
  await expect.poll(() => seen.running, SOON).toBeGreaterThanOrEqual(32);
  const shown = readdirSync('public', { recursive: true }).map(String);
  const routes = readdirSync('app').flatMap((name) => {
    if (name === 'manifest.ts') return ['manifest.webmanifest'];
    if (/^(robots|sitemap)\.ts$/.test(name))
      return [name.replace('.ts', name === 'robots.ts' ? '.txt' : '.xml')];
    return /\.(svg|png|ico|js)$/.test(name) ? [name] : [];
  });
  const files = [...shown, ...routes].filter((path) => path.includes('.'));
  expect(routes.sort()).toEqual([
    'apple-icon.png',
    'icon.svg',
    'manifest.webmanifest',
    'robots.txt',
    'sitemap.xml',
    'sw.js',
  ]);
  expect(files.length).toBeGreaterThan(15);
  for (const path of files) expect([path, (await ask(`/${path}`)).status]).toEqual([path, 200]);
});
