import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { guardServer } from '@/lib/api/guard-server';
import { waitUntil } from '@/local/up/processes';
import { TEST_SETTINGS } from '@/test/app-database';
import { closeStalledConnections } from './connections';

/** More than the system takes off a server's hands while nobody reads. */
const LARGE = Buffer.alloc(20_000_000);

const closing: (() => void)[] = [];
beforeAll(() => {
  Object.assign(process.env, { ...TEST_SETTINGS, DATABASE_URL: 'postgres://nowhere', TRUSTED_PROXIES: '1' });
  guardServer();
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Connects, and reads nothing until `read` is called. */
function open(port: number) {
  const socket = connect(port, '127.0.0.1').pause();
  closing.push(() => socket.destroy());
  let size = 0;
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (text.length < 1000) text += chunk.toString('latin1');
    });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    text: () => text,
    size: () => size,
    readAll: () => {
      socket.resume();
      return ended.then(() => size);
    },
  };
}

const request = (path: string, client = '192.0.2.1', connection = 'close') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\nConnection: ${connection}\r\n\r\n`;

/** Starts a server whose answers are large. */
async function listenWithLargeAnswers() {
  let asked = 0;
  const port = await listen((_, response) => {
    response.end(LARGE);
    asked += 1;
  });
  /** Asks for one, and waits until it has been made. */
  const ask = async (client: string) => {
    const before = asked;
    const connection = open(port);
    connection.socket.write(request('/', client));
    expect(await waitUntil(() => asked > before, 60_000)).toBe(true);
    return connection;
  };
  return ask;
}

it('starts a request that’s sent ahead of an answer once that’s out', async () => {
  let [running, most] = [0, 0];
  const port = await listen((request, response) => {
    running += 1;
    most = Math.max(most, running);
    setImmediate(() => {
      running -= 1;
      response.end(request.url);
    });
  });
  const { socket, text, readAll } = open(port);
  socket.write(
    ['/first', '/second', '/third'].map((path) => request(path, '192.0.2.1', 'keep-alive')).join('') +
      request('/last'),
  );
  await readAll();
  expect(text().match(/\/(first|second|third|last)/g)).toEqual(['/first', '/second', '/third', '/last']);
  expect(most).toBe(1);
});

it('closes the connection of a client that sends ever more requests ahead, and starts none of them', async () => {
  const started: string[] = [];
  const port = await listen((request) => started.push(request.url ?? ''));
  const { socket, readAll } = open(port);
  for (let sent = 0; sent < 100; sent += 1) socket.write(request(`/${sent}`, '192.0.2.1', 'keep-alive'));
  expect(await readAll()).toBe(0);
  expect(started).toEqual(['/0']);
});

it('closes the connection of a client that has stopped reading', async () => {
  const ask = await listenWithLargeAnswers();
  const { readAll } = await ask('192.0.2.1');
  for (let looks = 0; looks < 60; looks += 1) {
    closeStalledConnections();
    await new Promise(setImmediate);
  }
  expect(await readAll()).toBeLessThan(LARGE.length);
});

it('lets a client read slowly', async () => {
  const ask = await listenWithLargeAnswers();
  const { socket, size, readAll } = await ask('192.0.2.1');
  const read = (bytes: number) =>
    new Promise<void>((resolve) => {
      const onData = () => {
        if (size() < bytes) return;
        socket.off('data', onData).pause();
        resolve();
      };
      socket.on('data', onData).resume();
    });
  for (let bytes = 100_000; bytes < LARGE.length; bytes += 100_000) {
    await read(bytes);
    closeStalledConnections();
  }
  expect(await readAll()).toBeGreaterThan(LARGE.length);
});

it('drops the earlier answers of a client that doesn’t read them, and nobody else’s', async () => {
  const ask = await listenWithLargeAnswers();
  const other = await ask('192.0.2.1');
  const [first, second, third] = [await ask('192.0.2.2'), await ask('192.0.2.2'), await ask('192.0.2.2')];
  expect(await first.readAll()).toBeLessThan(LARGE.length);
  expect(await second.readAll()).toBeLessThan(LARGE.length);
  expect(await third.readAll()).toBeGreaterThan(LARGE.length);
  expect(await other.readAll()).toBeGreaterThan(LARGE.length);
  // Reading makes room.
  const next = await Promise.all([ask('192.0.2.2'), ask('192.0.2.3')]);
  for (const { readAll } of next) expect(await readAll()).toBeGreaterThan(LARGE.length);
});

it('drops the oldest unread answers when they take too much together', async () => {
  const ask = await listenWithLargeAnswers();
  const clients: Awaited<ReturnType<typeof ask>>[] = [];
  // Twelve of 20 MB fit.
  for (let index = 0; index < 15; index += 1) clients.push(await ask(`198.51.100.${index}`));
  const sizes: number[] = [];
  for (const { readAll } of clients) sizes.push(await readAll());
  expect(sizes.map((size) => size > LARGE.length)).toEqual([
    ...Array(3).fill(false),
    ...Array(12).fill(true),
  ]);
});
