import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { transcribe } from './speech';
import { SpeechError } from './speech-error';

let directory: string;
let audio: { path: string; fileName: string; contentType: string };
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'speech-client-'));
  audio = { path: join(directory, 'day.mp3'), fileName: 'a "day".mp3', contentType: 'audio/mpeg' };
  await writeFile(audio.path, Buffer.alloc(300_000, 7));
});
afterAll(() => rm(directory, { recursive: true }));
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A server that reads the request and then does as it is told; answers its address. */
async function serve(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => handler(request, response, body),
      // Whoever asks has given up before all of it was sent.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json =
  (status: number, answer: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(answer));
const raw =
  (status: number, answer: string): Handler =>
  (_request, response) =>
    response.writeHead(status).end(answer);

const ask = (baseUrl: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  transcribe({ baseUrl, apiKey: 'key', model: 'whisper-1', language: 'en', ...more }, audio);

async function failure(promise: Promise<unknown>): Promise<SpeechError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SpeechError);
  const speechError = error as SpeechError;
  expect(speechError.message).toMatch(/^[A-Z].*\.$/);
  return speechError;
}

test.each(['', '/', '/v1', '/v1/'])(
  'sends what OpenAI documents, to a base address ending in "%s"',
  async (ending) => {
    let seen: { url: string | undefined; headers: IncomingMessage['headers']; body: Buffer } | undefined;
    const url = await serve((request, response, body) => {
      seen = { url: request.url, headers: request.headers, body };
      json(200, { text: '', language: 'english', words: [], segments: [] })(request, response, body);
    });
    expect(await ask(url + ending)).toEqual({
      language: 'english',
      estimated: false,
      words: [],
      engine: null,
    });
    expect(seen?.url).toBe('/v1/audio/transcriptions');
    expect(seen?.headers.authorization).toBe('Bearer key');
    expect(Number(seen?.headers['content-length'])).toBe(seen?.body.length);
    const form = await new Response(new Uint8Array(seen?.body ?? Buffer.alloc(0)), {
      headers: { 'content-type': seen?.headers['content-type'] ?? '' },
    }).formData();
    expect(form.get('model')).toBe('whisper-1');
    expect(form.get('language')).toBe('en');
    expect(form.get('response_format')).toBe('verbose_json');
    expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
    const file = form.get('file') as File;
    expect([file.name, file.type, file.size]).toEqual(['a "day".mp3', 'audio/mpeg', 300_000]);
  },
);

test('reads words at the top level, and drops those of segments that are silence', async () => {
  const url = await serve(
    json(
      200,
      {
        language: 'English',
        text: 'Hello, world. Thanks for watching!',
        words: [
          { word: 'Hello', start: 0.12345, end: 0.5 },
          { word: ',', start: 0.5, end: 0.52 },
          { word: ' world ', start: 0.51, end: 1 },
          { word: '.', start: 1, end: 1 },
          { word: 'Thanks', start: 30, end: 31 },
          { word: '[Music]', start: 40, end: 41 },
        ],
        segments: [
          { start: 0, end: 1, text: 'Hello, world.', no_speech_prob: 0.7, avg_logprob: -0.2 },
          { start: 29, end: 35, text: 'Thanks for watching!', no_speech_prob: 0.9, avg_logprob: -1.4 },
        ],
      },
      { 'x-speech-engine': 'whisper' },
    ),
  );
  expect(await ask(url)).toEqual({
    language: 'english',
    estimated: false,
    words: [
      { word: 'Hello,', start: 0.123, end: 0.52 },
      { word: 'world.', start: 0.51, end: 1 },
    ],
    engine: 'whisper',
  });
});

test('tells how sure an engine is of its words, where it says so', async () => {
  const words = [0.456, 7, -1, null, 'high'].map((probability, index) => ({
    ...{ word: `word${index}`, start: index, end: index + 0.5, probability },
  }));
  const url = await serve(
    json(200, { text: 'said', words: [...words, { word: 'last', start: 9, end: 10 }] }),
  );
  const { words: heard } = await ask(url);
  expect(heard.map(({ confidence }) => confidence ?? null)).toEqual([0.46, 1, 0, null, null, null]);
});

test("joins whisper.cpp's tokens inside segments to words", async () => {
  const token = (word: string, start: number) => ({ word, start, end: start + 0.1 });
  const url = await serve(
    json(200, {
      language: 'en',
      segments: [
        {
          start: 0,
          end: 2,
          text: ' An amicable “day”.',
          words: [
            token(' An', -0.01),
            token(' amic', 0.2),
            token('able', 0.3),
            token(' “', 0.4),
            token('day', 0.5),
            token('”', 0.6),
            token('.', 0.6),
          ],
        },
        {
          start: 2,
          end: 9,
          text: ' [BLANK_AUDIO]',
          words: [token(' [', 2), token('BLANK', 3), token('_AUDIO]', 4)],
        },
      ],
    }),
  );
  const { words, estimated } = await ask(url);
  expect(estimated).toBe(false);
  expect(words.map(({ word, start }) => [word, start])).toEqual([
    ['An', 0],
    ['amicable', 0.2],
    ['“day”.', 0.4],
  ]);
});

test('keeps the words of a language without spaces apart', async () => {
  const url = await serve(
    json(200, {
      segments: [
        {
          start: 0,
          end: 2,
          text: '今天 OK',
          words: [
            { word: '今', start: 0, end: 0.2 },
            { word: '天', start: 0.2, end: 0.4 },
            { word: ' OK', start: 0.5, end: 0.9 },
          ],
        },
      ],
    }),
  );
  expect((await ask(url)).words.map(({ word }) => word)).toEqual(['今', '天', 'OK']);
});

test('shares out the time of segments without words, and says so', async () => {
  const url = await serve(
    json(200, {
      language: 'en',
      words: null,
      segments: [{ id: 0, start: 2, end: 4, text: ' Good morning all ' }],
    }),
  );
  expect(await ask(url)).toEqual({
    language: 'en',
    estimated: true,
    words: [
      { word: 'Good', start: 2, end: 2.571 },
      { word: 'morning', start: 2.571, end: 3.571 },
      { word: 'all', start: 3.571, end: 4 },
    ],
    engine: null,
  });
});

test.each([
  [[{ start: 0, end: 30, text: ' you', no_speech_prob: 0.95, avg_logprob: -1.2 }]],
  [[{ start: 0, end: 30, text: ' ♪ la la la ♪' }]],
  [[{ start: 0, end: 30, text: ' (upbeat music)' }]],
  [[]],
])('silence and music give no words: %j', async (segments) => {
  const url = await serve(json(200, { text: segments[0]?.text ?? '', segments }));
  expect(await ask(url)).toMatchObject({ words: [], estimated: false });
});

test.each([
  ['429 with seconds', json(429, {}, { 'retry-after': '7' }), 'rate_limited', 7],
  [
    '429 with a past date',
    json(429, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    'rate_limited',
    0,
  ],
  ['429 with nonsense', json(429, {}, { 'retry-after': 'soon' }), 'rate_limited', undefined],
  ['500', raw(500, '<html>oops'), 'unavailable', undefined],
  ['503 with seconds', json(503, {}, { 'retry-after': '30' }), 'unavailable', 30],
  ['400', json(400, { error: { message: 'Invalid file format.' } }), 'rejected', undefined],
  ['413', raw(413, 'too large'), 'rejected', undefined],
  ['401', json(401, { error: { message: 'Incorrect API key' } }), 'not_configured', undefined],
  ['404', raw(404, 'nothing here'), 'not_configured', undefined],
  ['a redirect', raw(302, ''), 'not_configured', undefined],
  ['204', raw(204, ''), 'nonsense', undefined],
] as const)('%s', async (_name, handler, kind, retryAfter) => {
  const error = await failure(ask(await serve(handler)));
  expect([error.kind, error.retryAfterSeconds]).toEqual([kind, retryAfter]);
});

test('passes on the sentence of a server that has no engine', async () => {
  const message = 'No speech engine is configured. Set SPEECH_BASE_URL.';
  const error = await failure(ask(await serve(json(501, { error: { message, code: 'no_engine' } }))));
  expect([error.kind, error.message]).toEqual(['not_configured', message]);
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
  expect((await failure(ask(await serve(raw(200, body))))).kind).toBe('nonsense');
});

test('an answer without end is cut off', async () => {
  const block = `${'{"word":"a","start":0,"end":1},'.repeat(10_000)}`;
  let closed: () => void;
  const cut = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await serve((_request, response) => {
    response.on('close', () => closed());
    response.writeHead(200).write('{"words":[');
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  expect((await failure(ask(url))).kind).toBe('nonsense');
  await cut;
});

test('small overlaps are mended', async () => {
  const words = [
    { word: 'a', start: 1, end: 1.5 },
    { word: 'b', start: 0.98, end: 0.97 },
  ];
  expect((await ask(await serve(json(200, { words })))).words).toEqual([
    { word: 'a', start: 1, end: 1.5 },
    { word: 'b', start: 1, end: 1 },
  ]);
});

test('no server, a server that hangs up, one that never answers and one that stops midway', async () => {
  const closedPort = createTcpServer();
  await new Promise<void>((resolve) => closedPort.listen(0, '127.0.0.1', resolve));
  const { port } = closedPort.address() as AddressInfo;
  await new Promise((resolve) => closedPort.close(resolve));
  expect((await failure(ask(`http://127.0.0.1:${port}`))).kind).toBe('unavailable');

  expect((await failure(ask(await serve((request) => request.socket.destroy())))).kind).toBe('unavailable');
  expect((await failure(ask(await serve(() => {}), { timeoutMs: 200 }))).kind).toBe('unavailable');
  const half = await serve((_request, response) => response.writeHead(200).write('{"words":['));
  expect((await failure(ask(half, { timeoutMs: 200 }))).kind).toBe('unavailable');
});

test('a server that answers before it has read everything is heard', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '3', connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const error = await failure(ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  expect([error.kind, error.retryAfterSeconds]).toEqual(['rate_limited', 3]);
});

test('a caller who gives up ends the request at the server', async () => {
  const giveUp = new AbortController();
  let closed: () => void;
  const ended = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await serve((request) => {
    request.socket.on('close', () => closed());
    giveUp.abort();
  });
  expect((await failure(ask(url, { signal: giveUp.signal }))).kind).toBe('unavailable');
  await ended;
  expect((await failure(ask(url, { signal: AbortSignal.abort() }))).kind).toBe('unavailable');
});

test('a missing file and an address that is none', async () => {
  const gone = { ...audio, path: join(directory, 'gone.mp3') };
  const options = { baseUrl: await serve(json(200, {})), model: 'whisper-1' };
  expect((await failure(transcribe(options, gone))).kind).toBe('rejected');
  expect((await failure(ask('localhost/speech'))).kind).toBe('not_configured');
  expect((await failure(ask('file:///etc'))).kind).toBe('not_configured');
});
