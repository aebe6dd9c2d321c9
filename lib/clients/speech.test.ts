import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { respondJson, startSpeechServer, transcribeAudio } from '@/test/speech-server';

test.each(['', '/', '/v1', '/v1/'])(
  'sends what OpenAI documents, to a base address ending in "%s"',
  async (ending) => {
    let seen: { url: string | undefined; headers: IncomingMessage['headers']; body: Buffer } | undefined;
    const url = await startSpeechServer((request, response, body) => {
      seen = { url: request.url, headers: request.headers, body };
      respondJson(200, { text: '', language: 'english', words: [], segments: [] })(request, response, body);
    });
    expect(await transcribeAudio(url + ending)).toEqual({
      language: 'en',
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
  const url = await startSpeechServer(
    respondJson(200, {
      language: 'English',
      text: 'Hello, world. Thanks for watching!',
      model: 'whisper',
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
    }),
  );
  expect(await transcribeAudio(url)).toEqual({
    language: 'en',
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
    word: `word${index}`,
    start: index,
    end: index + 0.5,
    probability,
  }));
  const url = await startSpeechServer(
    respondJson(200, { text: 'said', words: [...words, { word: 'last', start: 9, end: 10 }] }),
  );
  const { words: heard } = await transcribeAudio(url);
  expect(heard.map(({ confidence }) => confidence ?? null)).toEqual([0.46, 1, 0, null, null, null]);
});

test("joins whisper.cpp's tokens inside segments to words", async () => {
  const token = (word: string, start: number) => ({ word, start, end: start + 0.1 });
  const url = await startSpeechServer(
    respondJson(200, {
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
  const { words, estimated } = await transcribeAudio(url);
  expect(estimated).toBe(false);
  expect(words.map(({ word, start }) => [word, start])).toEqual([
    ['An', 0],
    ['amicable', 0.2],
    ['“day”.', 0.4],
  ]);
});

test('keeps the words of a language without spaces apart', async () => {
  const url = await startSpeechServer(
    respondJson(200, {
      segments: [
        {
          start: 0,
          end: 2,
          text: '今天 OK',
          words: [
            { word: '今', start: 0, end: 0.2 },
            { word: '天', start: 0.2, end: 0.4 },
            { word: ' OK', start: 0.5, end: 0.9 },
            { word: '吗', start: 1, end: 1.1 },
            { word: 'ok', start: 1.2, end: 1.4 },
          ],
        },
      ],
    }),
  );
  expect((await transcribeAudio(url)).words.map(({ word }) => word)).toEqual(['今', '天', 'OK', '吗', 'ok']);
});

test('shares out the time of segments without words, and says so', async () => {
  const url = await startSpeechServer(
    respondJson(200, {
      language: 'en',
      words: null,
      segments: [{ id: 0, start: 2, end: 4, text: ' Good morning all ' }],
    }),
  );
  expect(await transcribeAudio(url)).toEqual({
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
  const url = await startSpeechServer(respondJson(200, { text: segments[0]?.text ?? '', segments }));
  expect(await transcribeAudio(url)).toMatchObject({ words: [], estimated: false });
});
