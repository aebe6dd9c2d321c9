import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from './client';

const save = (body: { text: string }, keepalive = false) =>
  call('POST /entry/:id/notes', { params: { id: '1' }, body, keepalive });

type Answer = [status: number, body: string, type?: string];

let received: { headers: IncomingHttpHeaders; bytes: Buffer }[];
let answers: Answer[];
let stop: () => void;

beforeEach(async () => {
  received = [];
  answers = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, bytes: Buffer.concat(chunks) });
    const [status, body, type = 'application/json'] = answers.shift() ?? [200, '{}'];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, origin), init));
});

afterEach(() => {
  vi.unstubAllGlobals();
  stop();
});

const LONG = { text: 'That was a day by the sea. '.repeat(10_000) };
const encodings = () => received.map(({ headers }) => headers['content-encoding']);
const failure = (body: { text: string } = LONG) =>
  save(body).then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

test('sends a long body compressed, with its length', async () => {
  await save(LONG);
  const [{ headers, bytes } = expect.unreachable('nothing arrived')] = received;
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': String(bytes.length),
  });
  expect(bytes.length).toBeLessThan(LONG.text.length / 5);
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LONG);
});

test('sends a short body as it is, and one of a page that’s about to close', async () => {
  const short = { text: 'x'.repeat(60_000) };
  await save(short);
  // Node's fetch takes more than browsers do with `keepalive`.
  await save(LONG, true);
  expect(encodings()).toEqual([undefined, undefined]);
  expect(received.map(({ bytes }) => JSON.parse(bytes.toString()))).toEqual([short, LONG]);
});

test('sends a long body as it is where the browser can’t compress', async () => {
  vi.stubGlobal('CompressionStream', undefined);
  await save(LONG);
  expect(encodings()).toEqual([undefined]);
  expect(JSON.parse(received[0]?.bytes.toString() ?? '')).toEqual(LONG);
});

test.each<Answer>([
  [400, '{"code":"bad_request","message":"What?"}'],
  [415, '{"code":"unsupported_media_type","message":"What?"}'],
  [415, 'Unsupported Media Type', 'text/plain'],
])('sends it again as it is to a server that answers %d %s', async (...answer) => {
  answers = [answer];
  expect(await save(LONG)).toEqual({});
  expect(encodings()).toEqual(['gzip', undefined]);
  expect(JSON.parse(received[1]?.bytes.toString() ?? '')).toEqual(LONG);
});

test('doesn’t send input again that isn’t valid', async () => {
  answers = [[400, '{"code":"validation_failed","message":"Check.","fields":{"text":"Too long."}}']];
  expect(await failure()).toMatchObject({ code: 'validation_failed', fields: { text: 'Too long.' } });
  expect(received).toHaveLength(1);
});

const TOO_LARGE = 'That’s too large to send. Make it shorter, or split it up, and try again.';

test.each<[string, Answer]>([
  ['Vercel', [413, 'Request Entity Too Large\n\nFUNCTION_PAYLOAD_TOO_LARGE\n\niad1::x', 'text/plain']],
  ['nginx', [413, '<html><h1>413 Request Entity Too Large</h1></html>', 'text/html']],
  ['a gateway', [413, '{"message":"Request Too Long"}']],
  ['a gateway with null', [413, 'null']],
])('says what to do about a 413 of %s', async (_, answer) => {
  answers = [answer];
  expect(await failure()).toMatchObject({ status: 413, code: 'too_large', message: TOO_LARGE });
});

test('says what the app says about a 413 of its own', async () => {
  answers = [[413, '{"code":"too_large","message":"The file is too large."}']];
  expect(await failure()).toMatchObject({ code: 'too_large', message: 'The file is too large.' });
});

test.each<Answer>([
  [500, 'null'],
  [502, '<html><h1>502 Bad Gateway</h1></html>', 'text/html'],
  [503, 'Service Unavailable', 'text/plain'],
  [504, 'An error occurred with your deployment\n\nFUNCTION_INVOCATION_TIMEOUT', 'text/plain'],
  [500, '{"error":{"code":"500","message":"A server error has occurred"}}'],
  [500, '{"message":["a","list"],"fields":"none"}'],
])('shows nothing of a %d with %s', async (...answer) => {
  answers = [answer];
  expect(await failure()).toMatchObject({ status: answer[0], message: 'Network Error', fields: {} });
});

test('makes what people say and write a tenth shorter or more, in any script', async () => {
  const scripts: [first: number, count: number][] = [
    // Latin, Greek to Thai, Chinese to Korean, and emoji.
    [0x23, 57],
    [0x370, 1000],
    [0x4e00, 0x8000],
    [0x1f300, 700],
  ];
  for (const [first, count] of scripts) {
    // Without any words, which leaves less to compress than a language does.
    const random = new Uint16Array(randomBytes(400_000).buffer);
    const text = Array.from(random, (number) => String.fromCodePoint(first + (number % count))).join('');
    await save({ text });
    const { headers, bytes } = received.at(-1) ?? expect.unreachable('nothing arrived');
    expect([first, headers['content-encoding']]).toEqual([first, 'gzip']);
    // So 5 MB get below 4.5 MB.
    expect(bytes.length).toBeLessThan(Buffer.byteLength(text) * 0.9);
  }
});
