import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guardServer } from '@/lib/api/guard-server';
import { TEST_SETTINGS } from '@/test/app-database';
import { sendRawBytes } from '@/test/raw-http';

/** What a listener of these events would get a connection by, the last of which no Node has yet. */
const EVENTS = [
  'upgrade',
  'connect',
  'checkContinue',
  'checkExpectation',
  'clientError',
  'timeout',
  'handover',
];

const taken: string[] = [];
const server = createServer((_, response) => response.end('hello'));
let url: string;

beforeAll(async () => {
  Object.assign(process.env, { ...TEST_SETTINGS, DATABASE_URL: 'postgres://nowhere' });
  guardServer();
  for (const event of EVENTS) server.on(event, () => taken.push(event));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close().closeAllConnections());

it.each([
  ['Connection: Upgrade\r\nUpgrade: websocket\r\n', /^HTTP\/1\.1 200 OK\r\n/],
  ['Expect: 100-continue\r\nContent-Length: 1\r\n', /^$/],
  ['Expect: something\r\n', /^$/],
  ['Content-Length: x\r\n', /^HTTP\/1\.1 400 Bad Request\r\n/],
])('hands no connection to a listener that nobody knows of: %j', async (headers, answer) => {
  expect(await sendRawBytes(url, `GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)).toMatch(answer);
  expect(taken).toEqual([]);
});

it.each(['timeout', 'handover'])('closes a connection that the event %s carries', async (event) => {
  const connected = once(server, 'connection');
  const answer = sendRawBytes(url, 'GET / HTTP/1.1\r\n');
  const [socket] = await connected;
  expect(server.emit(event, socket)).toBe(true);
  expect(await answer).toBe('');
  expect(taken).toEqual([]);
});

it('passes on what carries no connection', () => {
  const heard: unknown[] = [];
  server.once('news', (text) => heard.push(text));
  expect(server.emit('news', 'good')).toBe(true);
  expect(server.emit('news', 'good')).toBe(false);
  expect(heard).toEqual(['good']);
});
