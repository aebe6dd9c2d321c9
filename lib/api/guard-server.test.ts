import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type NodeProcess, spawnObserved } from '@/local/up/fixtures/node-process';
import { waitUntil } from '@/local/up/processes';
import { TEST_SETTINGS } from '@/test/app-database';
import { childProgram } from '@/test/child-program';
import { sendRawBytes } from '@/test/raw-http';

const HOLD = './lib/foundation/http/server/hold-connections.cjs';
const UPGRADE =
  'GET /journals HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const hasDescriptors = process.platform === 'linux';

let server: NodeProcess;
let url: string;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.child.kill('SIGKILL');
  await server.ended;
});

async function start(flags: string[] = [], args: string[] = []): Promise<void> {
  const command = [...flags, await childProgram('test/server-process.ts'), ...args];
  server = spawnObserved(process.execPath, command, process.cwd(), {
    ...process.env,
    ...TEST_SETTINGS,
    DATABASE_URL: 'postgres://nowhere',
  });
  await server.shows(/port \d+\./);
  url = `http://127.0.0.1:${/port (\d+)\./.exec(server.output())?.[1]}`;
}

/** Opens a connection, sends bytes, and collects what comes back. */
function open(bytes: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
  sockets.push(socket.on('error', () => undefined));
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { socket, text: () => text };
}

it('answers a request that asks for another protocol, and closes its connection', async () => {
  await start();
  for (const protocol of ['websocket', 'h2c', 'TLS/1.3']) {
    const answer = await sendRawBytes(url, UPGRADE.replace('websocket', protocol));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*hello/);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/);
  }
  expect(server.output()).not.toContain('upgraded');
});

it('removes headers that only this site’s own code writes', async () => {
  await start();
  const internal = [
    ...['X-Nonce', 'X-Path', 'X-Session-Unknown', 'X-Page-Key', 'Content-Security-Policy', 'X-Nextjs-Data'],
    ...[
      'X-Middleware-Subrequest',
      'X-Middleware-Set-Cookie',
      'X-Invoke-Path',
      'X-Matched-Path',
      'Next-Resume',
    ],
    ...['X-Now-Route-Matches', 'X-Prerender-Revalidate', 'X-Next-Resume-State-Length'],
  ];
  const others = ['rsc', 'next-router-prefetch', 'next-router-state-tree', 'x-inngest-signature', 'x-mine'];
  const lines = [...internal, ...others].map((name) => `${name}: claimed\r\n`);
  const answer = await sendRawBytes(
    url,
    `GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}\r\n`,
  );
  const seen = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, string>;
  const own = ['host', 'connection', 'x-forwarded-for', 'x-request-id'];
  expect(Object.keys(seen).toSorted()).toEqual([...others, ...own].toSorted());
});

it.runIf(hasDescriptors)(
  'has no descriptor left of 2,000 such requests whose clients do nothing',
  async () => {
    await start();
    const descriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
    await sendRawBytes(url, UPGRADE);
    const before = descriptors();
    for (let sent = 0; sent < 2000; sent += 100) {
      const some = Array.from({ length: 100 }, () => open(UPGRADE));
      expect(await waitUntil(() => some.every(({ text }) => text().includes('hello')), 60_000)).toBe(true);
    }
    expect(await waitUntil(() => descriptors() <= before, 60_000)).toBe(true);
  },
);

it('guards connections that came while the server was starting', async () => {
  await start(['--require', HOLD], ['late']);
  const [trace, upgrade, nonce] = [
    open('TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    open(UPGRADE),
    open('GET /echo HTTP/1.1\r\nHost: localhost\r\nX-Nonce: mine\r\nX-Mine: here\r\n\r\n'),
  ];
  // One that's reset meanwhile does no harm.
  const reset = open(UPGRADE).socket;
  await server.shows('\n4 connections.');
  reset.resetAndDestroy();
  server.child.kill('SIGHUP');
  expect(await waitUntil(() => nonce.text().includes('x-mine'), 60_000)).toBe(true);
  expect(nonce.text()).not.toContain('x-nonce');
  expect(await waitUntil(() => trace.text().startsWith('HTTP/1.1 405 '), 60_000)).toBe(true);
  expect(await waitUntil(() => upgrade.text().includes('hello'), 60_000)).toBe(true);
});

it('closes them if nothing has held them', async () => {
  await start([], ['late']);
  const answers = [UPGRADE, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'].map((text) =>
    sendRawBytes(url, text),
  );
  await server.shows('upgraded');
  server.child.kill('SIGHUP');
  expect(await Promise.all(answers)).toEqual(['', '']);
  expect(await sendRawBytes(url, UPGRADE)).toContain('hello');
});

it('ends although it was told so while it was starting', async () => {
  await start(['--require', HOLD], ['late']);
  open('');
  const { socket, text } = open('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // Those that the server hasn't accepted are reset when it stops listening.
  await server.shows('\n2 connections.');
  server.child.kill('SIGTERM');
  await server.shows('closing');
  server.child.kill('SIGHUP');
  expect(await server.ended).toBe(143);
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n/);
});
