import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type NodeProcess, spawnNode } from '@/local/up/fixtures/node-process';
import { TEST_SETTINGS } from '@/test/app-database';

let server: NodeProcess;
let port: number;
const agent = new Agent({ keepAlive: true });
afterEach(async () => {
  agent.destroy();
  server.child.kill('SIGKILL');
  await server.ended;
});

async function start(): Promise<void> {
  server = spawnNode('test/server-process.ts', [], {
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
  // The first answer's header was made before the server was known.
  await get('/');
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
