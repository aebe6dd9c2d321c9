import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  audio,
  cleanups,
  expectSpeechError,
  respondJson,
  respondRaw,
  startSpeechServer,
  transcribeAudio,
} from '@/test/speech-server';
import { transcribe } from './speech';

test.each([
  ['429 with seconds', respondJson(429, {}, { 'retry-after': '7' }), 'rate_limited', 7],
  [
    '429 with a past date',
    respondJson(429, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    'rate_limited',
    0,
  ],
  ['429 with nonsense', respondJson(429, {}, { 'retry-after': 'soon' }), 'rate_limited', undefined],
  ['500', respondRaw(500, '<html>oops'), 'unavailable', undefined],
  ['503 with seconds', respondJson(503, {}, { 'retry-after': '30' }), 'unavailable', 30],
  ['400', respondJson(400, { error: { message: 'Invalid file format.' } }), 'rejected', undefined],
  ['413', respondRaw(413, 'too large'), 'rejected', undefined],
  ['401', respondJson(401, { error: { message: 'Incorrect API key' } }), 'not_configured', undefined],
  ['404', respondRaw(404, 'nothing here'), 'not_configured', undefined],
  ['a redirect', respondRaw(302, ''), 'not_configured', undefined],
  ['204', respondRaw(204, ''), 'nonsense', undefined],
] as const)('%s', async (_name, handler, kind, retryAfter) => {
  const error = await expectSpeechError(transcribeAudio(await startSpeechServer(handler)));
  expect([error.kind, error.retryAfterSeconds]).toEqual([kind, retryAfter]);
});

test('never quotes what a service says', async () => {
  const message = 'what was spoken';
  const error = await expectSpeechError(
    transcribeAudio(await startSpeechServer(respondJson(501, { error: { message, code: message } }))),
  );
  expect(error.kind).toBe('unavailable');
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(message);
});

const word = (start: unknown, end: unknown) => JSON.stringify({ words: [{ word: 'a', start, end }] });
test.each([
  ['HTML', '<!doctype html><p>Welcome'],
  ['nothing', ''],
  ['a number', '42'],
  ['null', 'null'],
  ['a list', '[]'],
  ['words that are no list', '{"words":"hello"}'],
  ['NaN', '{"words":[{"word":"a","start":NaN,"end":1}]}'],
  ['infinity', '{"words":[{"word":"a","start":0,"end":1e999}]}'],
  ['text for times', word('0', '1')],
  ['null for times', word(null, 1)],
  ['negative times', word(-5, 1)],
  ['an end before its start', word(5, 1)],
  ['nanoseconds', word(1_000_000_000, 2_000_000_000)],
  ['times that run backwards', '{"words":[{"word":"a","start":9,"end":10},{"word":"b","start":1,"end":2}]}'],
  ['a text without times', '{"text":"hello there"}'],
  ['a word without end', JSON.stringify({ words: [{ word: 'a'.repeat(5000), start: 0, end: 1 }] })],
  [
    'words without number',
    JSON.stringify({ words: Array.from({ length: 200_001 }, () => ({ word: 'a', start: 0, end: 1 })) }),
  ],
])('answers that are no transcript: %s', async (_name, body) => {
  expect(
    (await expectSpeechError(transcribeAudio(await startSpeechServer(respondRaw(200, body))))).kind,
  ).toBe('nonsense');
});

test('an answer without end is cut off', async () => {
  const block = `${'{"word":"a","start":0,"end":1},'.repeat(10_000)}`;
  let closed: () => void;
  const cut = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await startSpeechServer((_request, response) => {
    response.on('close', () => closed());
    response.writeHead(200).write('{"words":[');
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  expect((await expectSpeechError(transcribeAudio(url))).kind).toBe('nonsense');
  await cut;
});

test('small overlaps are mended', async () => {
  const words = [
    { word: 'a', start: 1, end: 1.5 },
    { word: 'b', start: 0.98, end: 0.97 },
  ];
  expect((await transcribeAudio(await startSpeechServer(respondJson(200, { words })))).words).toEqual([
    { word: 'a', start: 1, end: 1.5 },
    { word: 'b', start: 1, end: 1 },
  ]);
});

test('no server, a server that hangs up, one that never answers and one that stops midway', async () => {
  const closedPort = createTcpServer();
  await new Promise<void>((resolve) => closedPort.listen(0, '127.0.0.1', resolve));
  const { port } = closedPort.address() as AddressInfo;
  await new Promise((resolve) => closedPort.close(resolve));
  expect((await expectSpeechError(transcribeAudio(`http://127.0.0.1:${port}`))).kind).toBe('unavailable');

  expect(
    (await expectSpeechError(transcribeAudio(await startSpeechServer((request) => request.socket.destroy()))))
      .kind,
  ).toBe('unavailable');
  expect(
    (await expectSpeechError(transcribeAudio(await startSpeechServer(() => {}), { timeoutMs: 200 }))).kind,
  ).toBe('unavailable');
  const half = await startSpeechServer((_request, response) => response.writeHead(200).write('{"words":['));
  expect((await expectSpeechError(transcribeAudio(half, { timeoutMs: 200 }))).kind).toBe('unavailable');
});

test('a server that doesn’t accept the upload and one that stops midway end as silent, one that works doesn’t', async () => {
  const idleTimeoutMs = 1000;
  const deaf = createTcpServer((socket) => socket.pause());
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  const sockets: Socket[] = [];
  deaf.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => deaf.close(resolve));
  });
  const large = { ...audio, path: `${audio.path}.large` };
  await writeFile(large.path, Buffer.alloc(32 * 1024 * 1024));
  const { port } = deaf.address() as AddressInfo;
  const options = { baseUrl: `http://127.0.0.1:${port}`, model: 'm', idleTimeoutMs };
  expect((await expectSpeechError(transcribe(options, large))).kind).toBe('unavailable');

  const half = await startSpeechServer((_request, response) => response.writeHead(200).write('{"words":['));
  expect((await expectSpeechError(transcribeAudio(half, { idleTimeoutMs }))).kind).toBe('unavailable');

  const slow = await startSpeechServer((_request, response) => {
    setTimeout(() => response.end('{"words":[]}'), 3 * idleTimeoutMs);
  });
  expect((await transcribeAudio(slow, { idleTimeoutMs })).words).toEqual([]);
});

test('a server that answers before it has read everything is heard', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '3', connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
  const error = await expectSpeechError(
    transcribeAudio(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  expect([error.kind, error.retryAfterSeconds]).toEqual(['rate_limited', 3]);
});

test('a caller who gives up ends the request at the server', async () => {
  const controller = new AbortController();
  let closed: () => void;
  const ended = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await startSpeechServer((request) => {
    request.socket.on('close', () => closed());
    controller.abort();
  });
  expect((await expectSpeechError(transcribeAudio(url, { signal: controller.signal }))).kind).toBe(
    'unavailable',
  );
  await ended;
  expect((await expectSpeechError(transcribeAudio(url, { signal: AbortSignal.abort() }))).kind).toBe(
    'unavailable',
  );
});

test('a missing file', async () => {
  const gone = { ...audio, path: `${audio.path}.gone` };
  const options = { baseUrl: await startSpeechServer(respondJson(200, {})), model: 'whisper-1' };
  expect((await expectSpeechError(transcribe(options, gone))).kind).toBe('rejected');
});
