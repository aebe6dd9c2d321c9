import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type NodeProcess, spawnProgram } from '@/local/up/fixtures/node-process';
import { TEST_SETTINGS } from '@/test/app-database';

/** What a client may leave behind, by what it has sent. It reads nothing. */
const ABANDONED = {
  nothing: '',
  'half a request': 'GET / HTTP/1.1\r\nHost: localhost\r\n',
  'half a body': 'POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf',
  'a request that was answered': 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an upgrade':
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET / HTTP/1.1\r\n',
  'a request for more than it reads': 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n',
};

let server: NodeProcess;
let port: number;
const agent = new Agent({ keepAlive: true });
const abandoned: Socket[] = [];
afterEach(async () => {
  for (const socket of abandoned.splice(0)) socket.destroy();
  agent.destroy();
  server.child.kill('SIGKILL');
  await server.ended;
});

async function start(): Promise<void> {
  server = await spawnProgram('test/server-process.ts', [], {
    ...process.env,
    ...TEST_SETTINGS,
    DATABASE_URL: 'postgres://nowhere',
    LOG_LEVEL: 'info',
  });
  await server.shows(/port \d+\./);
  port = Number(/port (\d+)\./.exec(server.output())?.[1]);
}

interface Answer {
  text: string;
  connection: string | undefined;
  keepAlive: string | undefined;
  /** Whether it came on a connection that an earlier request had opened. */
  reused: boolean;
}

function get(path: string, keepOpen = true): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: '127.0.0.1', agent: keepOpen ? agent : false }, (response) => {
      void readText(response).then((text) => {
        const { connection, 'keep-alive': keepAlive } = response.headers;
        resolve({ text, connection, keepAlive: keepAlive as string | undefined, reused: sent.reusedSocket });
      }, reject);
    });
    sent.once('error', reject).end();
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

it('keeps connections open for longer than proxies do', async () => {
  await start();
  expect((await get('/')).keepAlive).toBe('timeout=125');
});

it('answers what proxies send on open connections after SIGTERM, and closes each', async () => {
  await start();
  expect(await get('/')).toMatchObject({ connection: 'keep-alive', reused: false });
  const waiting = get('/wait', false);
  await server.shows('waiting');
  server.child.kill('SIGTERM');
  await server.shows('server.stopping');
  await expect(get('/', false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await get('/')).toMatchObject({ text: 'hello', connection: 'close', reused: true });
  server.child.kill('SIGUSR2');
  expect(await waiting).toMatchObject({ text: 'waited', connection: 'close' });
  expect(await server.ended).toBe(143);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'waits for no client that hasn’t sent a request, on %s',
  async (signal) => {
    await start();
    const [unused, unfinished] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const socket of [unused, unfinished]) socket.on('error', () => undefined);
    unfinished.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const waiting = get('/wait', false);
    await server.shows('waiting');
    server.child.kill(signal);
    await server.shows('server.stopping');
    server.child.kill('SIGUSR2');
    expect(await waiting).toMatchObject({ text: 'waited' });
    expect(await server.ended).toBe(143);
  },
);

it('closes idle connections at once on Ctrl-C, and finishes requests', async () => {
  await start();
  const waiting = get('/wait');
  await server.shows('waiting');
  // On a second connection, as the first one is taken.
  await get('/');
  server.child.kill('SIGINT');
  await server.shows('server.stopping');
  await expect(get('/')).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRE(FUSED|SET)/) });
  server.child.kill('SIGUSR2');
  expect(await waiting).toMatchObject({ text: 'waited', connection: 'close' });
  expect(await server.ended).toBe(143);
});

/** Leaves a connection behind on which this was sent, once the server has it. */
async function abandon(text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  abandoned.push(socket);
  socket.pause();
  await new Promise((resolve) => socket.write(text, resolve));
  // Sent later, so that the server has seen it when this is answered.
  await get('/', false);
  if (text.includes('/large')) await server.shows('large');
}

it.each(Object.entries(ABANDONED))(
  'ends in spite of a client that has sent %s, on Ctrl-C',
  async (_, text) => {
    await start();
    await abandon(text);
    server.child.kill('SIGINT');
    expect(await server.ended).toBe(143);
  },
);

it.each(['SIGTERM', 'SIGINT'] as const)(
  'lets a client read the rest of its answer, on %s',
  async (signal) => {
    await start();
    const answer = get('/large', false);
    await server.shows('large');
    server.child.kill(signal);
    expect((await answer).text).toHaveLength(20_000_000);
    expect(await server.ended).toBe(143);
  },
);

it('ends on SIGTERM in spite of all of them', async () => {
  await start();
  for (const text of Object.values(ABANDONED)) await abandon(text);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(143);
});
