import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { encodeAccess } from '@/lib/account/sessions/tokens';
import { readBytes } from '@/lib/api/body';
import { errorResponse } from '@/lib/api/error-response';
import { admitRequest } from '@/lib/api/overload';
import { addPeerAddress } from '@/lib/foundation/http/client-address';
import { useFreshDatabase } from './app-database';

/** Many more than a process works on at once and has time for in two seconds. */
export const FLOOD = 1500;
/** A page takes this many turns of the event loop, each for so many milliseconds. */
const TURNS = 10;
const TURN_MS = 0.5;
/** How long to wait for what happens soon, unless the machine is busy. */
export const SOON = { timeout: 20_000 };

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

/** Stops the servers that a test has started. */
export function stopBusyServers(): void {
  for (const close of closing.splice(0)) close();
}

/** Prepares what requests need: the settings, with one proxy, which tells their addresses. Returns what undoes it. */
export function useProxySettings(): Promise<() => Promise<void>> {
  return useFreshDatabase({ settings: { TRUSTED_PROXIES: '1' } });
}

interface Asked {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Waits for the answer to a request. If the connection ends first, it never comes. */
export async function readAnswer(sent: ClientRequest): Promise<Asked> {
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
export async function startBusyServer() {
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
export async function signedIn(userId: string): Promise<{ cookie: string }> {
  const token = await encodeAccess({ userId, sessionId: 'none', verified: true });
  return { cookie: `other=1; next-auth.session-token=${token}` };
}

/** Returns the headers of somebody without a session. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

/** Returns the different statuses of answers. */
export const statuses = (answers: { status: number | undefined }[]) =>
  new Set(answers.map(({ status }) => status));

/** Collects the answers that have come so far. */
export function collect(asked: Promise<Asked>[]): Asked[] {
  const answers: Asked[] = [];
  for (const one of asked) void one.then((answer) => answers.push(answer));
  return answers;
}
