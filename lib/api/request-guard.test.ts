import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '@/local/up/processes';
import { useGuardedServer } from '@/test/guarded-server';
import { disconnectWhileSending, sendRaw, sendRawBytes } from '@/test/raw-http';
import { JOBS_LIMIT, JSON_LIMIT, WEBHOOK_LIMIT } from './body-limits';
import { guardServer } from './guard-server';

let server: Awaited<ReturnType<typeof useGuardedServer>>;
let url: string;
let seen: typeof server.seen;

/** All but the end of the largest body that the job service may send. */
const UNFINISHED = Buffer.alloc(JOBS_LIMIT - 100_000);

const TRANSCRIPT = '/api/v1/entry/0190a0b0-0000-7000-8000-000000000000/transcription';

beforeAll(async () => {
  server = await useGuardedServer();
  // Once more changes nothing.
  guardServer();
  ({ url, seen } = server);
});
afterAll(() => server.close());

const LIMITS: [path: string, limit: number, headers?: Record<string, string>][] = [
  ['/api/v1/login', JSON_LIMIT],
  ['/api/v1/nothing', JSON_LIMIT],
  ['/api/nothing', JSON_LIMIT],
  ['/api/auth/signin/google', JSON_LIMIT],
  ['/api/inngest', JSON_LIMIT],
  ['/api/inngest', JOBS_LIMIT, { 'x-inngest-signature': 't=1&s=0' }],
  ['/api/webhooks/stripe', JSON_LIMIT],
  ['/api/webhooks/stripe', WEBHOOK_LIMIT, { 'stripe-signature': 't=1,v1=0' }],
  [TRANSCRIPT, 5_000_000],
];

describe.each([false, true])('a body (chunked: %s)', (chunked) => {
  it.each(LIMITS)('may be as large as the limit of %s, %d bytes', async (path, limit, headers = {}) => {
    const answer = await sendRaw(url + path, { method: 'POST', headers, chunked, body: Buffer.alloc(limit) });
    expect([answer.status, answer.text]).toEqual([200, String(limit)]);
  });

  it.each(LIMITS)('is refused on %s above %d bytes', async (path, limit, headers = {}) => {
    for (const size of [limit + 1, limit + 5_000_000]) {
      const answer = await sendRaw(url + path, {
        method: 'POST',
        headers,
        chunked,
        body: Buffer.alloc(size),
      });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([413, { code: 'too_large' }]);
      if (!chunked) {
        expect(answer.headers['cache-control']).toBe('private, no-store');
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      }
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await sendRaw(`${url}/api/v1/entries`, { method: 'GET' })).status).toBe(200);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('is refused with a %s', async (method) => {
    for (const path of ['/login', '/api/v1/entries']) {
      const { status } = await sendRaw(url + path, { method, chunked, body: 'x' });
      expect(status).toBe(413);
    }
  });

  it.each(['/login', '/', '/nothing', '/api', '/_next/image', '/%61pi/v1/login'])(
    'is refused on %s, which takes none',
    async (path) => {
      const before = seen.length;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const small = await sendRaw(url + path, { method, chunked, body: 'a=b' });
        expect([method, small.status]).toEqual([method, 405]);
        const largest = await sendRaw(url + path, { method, chunked, body: Buffer.alloc(JSON_LIMIT) });
        expect([method, largest.status]).toEqual([method, 405]);
        const large = await sendRaw(url + path, { method, chunked, body: Buffer.alloc(2_000_000) });
        expect([method, large.status]).toEqual([method, 413]);
      }
      expect(seen.length).toBe(before);
    },
  );
});

it.each([false, true])('leads a shared video to the studio, unread (chunked: %s)', async (chunked) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const before = seen.length;
  for (const size of [10, JSON_LIMIT + 1, 20_000_000]) {
    const body = Buffer.alloc(size);
    const answer = await sendRaw(`${url}/share`, { method: 'POST', headers, chunked, body });
    expect([answer.status, answer.headers.location]).toEqual([303, '/upload?shared=missing']);
  }
  const put = await sendRaw(`${url}/share`, { method: 'PUT', headers, chunked, body: Buffer.alloc(10) });
  expect([put.status, put.headers.location]).toEqual([405, undefined]);
  expect(seen.length).toBe(before);
  expect((await sendRaw(`${url}/api/v1/entries`, { method: 'GET' })).status).toBe(200);
});

it('sends a form that was submitted before the scripts had loaded back to its page', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = (path: string) =>
    sendRaw(url, { method: 'POST', headers, body: 'a=b' }).then(() =>
      sendRaw(url + path, { method: 'POST', headers, body: 'email=a%40b.example' }),
    );
  const back = await form('/login?next=%2Fjournals');
  expect([back.status, back.headers.location]).toEqual([303, '/login?next=%2Fjournals']);
  const elsewhere = await form('//elsewhere.example');
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([405, undefined]);
  const put = await sendRaw(`${url}/login`, { method: 'PUT', headers, body: 'email=a%40b.example' });
  expect([put.status, put.headers.location]).toEqual([405, undefined]);
});

it('closes the connection of a client that goes on sending after its answer', async () => {
  const { port } = new URL(url);
  for (const path of ['/api/v1/unread', '/api/v1/login', '/login']) {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const send = () => {
      if (!socket.destroyed && socket.write(chunk)) setImmediate(send);
    };
    socket.on('drain', send);
    send();
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 (200|413)/);
  }
});

it('tells a client whose connection it will close not to use it again', async () => {
  const send = (size: number) =>
    fetch(`${url}/api/v1/login`, {
      method: 'POST',
      body: new Blob([Buffer.alloc(size)]).stream(),
      duplex: 'half',
    } as RequestInit);
  const [small, large] = [await send(JSON_LIMIT), await send(JSON_LIMIT + 1)];
  expect([small.status, small.headers.get('connection')]).toEqual([200, 'keep-alive']);
  expect([large.status, large.headers.get('connection')]).toEqual([413, 'close']);
});

/** Sends all but the end of the largest body, so that it stays in memory. Each call is a connection of its own. */
function createSenders() {
  const { port } = new URL(url);
  const answers: string[] = [];
  const closed: number[] = [];
  const sockets: Socket[] = [];
  const send = async (client: string) => {
    const index = sockets.length;
    const head = [
      'POST /api/inngest HTTP/1.1',
      'Host: localhost',
      `X-Forwarded-For: ${client}`,
      'x-inngest-signature: t=1&s=0',
      `Content-Length: ${JOBS_LIMIT}`,
    ];
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.setEncoding('utf8').on('data', (text: string) => answers.push(text));
    socket.once('close', () => closed.push(index));
    sockets.push(socket);
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), UNFINISHED]);
    await new Promise((resolve) => socket.write(bytes, resolve));
  };
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { send, answers, closed, destroy };
}

it('drops the slowest senders when bodies together take too much memory', async () => {
  const { send, answers, closed, destroy } = createSenders();
  // Twenty bodies of 4.4 MB are 88 MB, and fourteen of them fit.
  for (let index = 0; index < 20; index += 1) await send(`192.0.2.${Math.floor(index / 2)}`);
  expect(await waitUntil(() => closed.length >= 6, 60_000)).toBe(true);
  expect(closed).toEqual([0, 1, 2, 3, 4, 5]);
  expect(answers).toEqual([]);
  const { status } = await sendRaw(`${url}/api/v1/login`, { method: 'POST', body: '{}' });
  expect(status).toBe(200);
  destroy();
});

it('drops the slowest of a client whose bodies take too much, and nobody else', async () => {
  const { send, closed, destroy } = createSenders();
  await send('198.51.100.1');
  // Three of the five fit.
  for (let index = 0; index < 5; index += 1) await send('198.51.100.2');
  expect(await waitUntil(() => closed.length >= 2, 60_000)).toBe(true);
  await send('198.51.100.3');
  expect(closed).toEqual([1, 2]);
  destroy();
});

it('answers what is not HTTP, and headers over 16 kB, with a request id', async () => {
  const malformed = await sendRawBytes(url, 'NONSENSE\r\n\r\n');
  expect(malformed).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*x-request-id: [0-9a-f-]{36}\r\n/);
  const long = await sendRawBytes(url, `GET / HTTP/1.1\r\nHost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(long).toMatch(/^HTTP\/1.1 431 [\s\S]*x-request-id: [0-9a-f-]{36}\r\n/);
});

it('hands a reader whose client has gone an error of its own', async () => {
  await disconnectWhileSending(url, 'POST /api/v1/cut HTTP/1.1', 5000, 100);
  await waitUntil(() => seen.some(({ path }) => path === '/api/v1/cut'), 30_000);
  expect(seen.find(({ path }) => path === '/api/v1/cut')?.outcome).toBe('aborted');
});
