import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { transcribe } from '@/lib/services/speech';
import { nativeTool } from '@/test/media/ffmpeg-tools';
import { type LocalSpeech, startSpeech } from './server';

// A transcription takes seconds of a whole core, and much longer on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const execute = promisify(execFile);
const real = process.env['CONTRACT_SPEECH_BASE_URL'];
const testdata = '/usr/share/pocketsphinx/test/data/librivox';
const clip = (number: string) => join(testdata, `sense_and_sensibility_01_austen_64kb-${number}.wav`);

/** Words that are clear in the clips, and when they start, in seconds. */
const spoken = {
  '0870': { john: 0.63, leisure: 2.25, consider: 2.9, much: 3.93, might: 4.54, power: 5.75 },
  '0920': { married: 0.55, more: 1.03, amiable: 1.42, woman: 2.02, might: 2.73, made: 3.36 },
};
type Words = Awaited<ReturnType<typeof transcribe>>['words'];
/** Returns which of a clip's words were transcribed at their time, when the clip starts at `offset`. */
const wordsInPlace = (words: Words, clipWords: Record<string, number>, offset = 0) =>
  Object.entries(clipWords).filter(([word, start]) =>
    words.some((heard) => plain(heard.word) === word && Math.abs(heard.start - offset - start) <= 0.3),
  );

let directory: string;
let local: LocalSpeech | undefined;
let service: { baseUrl: string; apiKey: string; model: string };

beforeAll(async () => {
  if (!existsSync(testdata)) {
    throw new Error('These tests hear real speech: apt-get install pocketsphinx-testdata ffmpeg');
  }
  directory = await mkdtemp(join(tmpdir(), 'speech-server-'));
  if (real) {
    const { CONTRACT_SPEECH_API_KEY: apiKey = '', CONTRACT_SPEECH_MODEL: model = 'whisper-1' } = process.env;
    service = { baseUrl: real, apiKey, model };
    return;
  }
  const { sandbox } = await nativeTool();
  local = await startSpeech({
    apiKey: 'test-key',
    cacheDir: join(directory, 'cache'),
    ...(sandbox.isolation === 'full' && { confine: sandbox.enter }),
  });
  if (local.engine === 'none') {
    throw new Error('No speech engine here: apt-get install ffmpeg pocketsphinx pocketsphinx-en-us');
  }
  service = { baseUrl: local.url, apiKey: 'test-key', model: 'whisper-1' };
});
afterAll(async () => {
  await local?.close();
  if (directory) await rm(directory, { recursive: true });
});

/** Makes a file with ffmpeg. The arguments are its inputs and filters. */
async function sound(name: string, ...args: string[]): Promise<string> {
  const path = join(directory, name);
  await execute('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, '-ar', '16000', '-ac', '1', path]);
  return path;
}

const hear = (path: string, contentType = 'audio/wav') =>
  transcribe(
    { ...service, language: 'en' },
    { path, fileName: path.slice(path.lastIndexOf('/') + 1), contentType },
  );

const post = (form: FormData, key = service.apiKey) =>
  fetch(`${service.baseUrl.replace(/\/v1\/?$/, '')}/v1/audio/transcriptions`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  });

/** Returns the form that the app sends. */
async function form(path: string, format = 'verbose_json', second = 'segment'): Promise<FormData> {
  const data = new FormData();
  data.append('file', new File([new Uint8Array(await readFile(path))], 'clip.wav', { type: 'audio/wav' }));
  data.append('model', service.model);
  data.append('response_format', format);
  for (const granularity of ['word', second]) data.append('timestamp_granularities[]', granularity);
  return data;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z']/g, '');
}

describe('any OpenAI-compatible server', () => {
  test.each(Object.entries(spoken))(
    'finds the clear words of clip %s with their times',
    async (number, all) => {
      const { words, estimated } = await hear(clip(number));
      const found = Object.keys(all).filter((word) => words.some((heard) => plain(heard.word) === word));
      expect(found.length).toBeGreaterThanOrEqual(Object.keys(all).length - 1);
      expect(estimated).toBe(false);
      expect(wordsInPlace(words, all).length).toBeGreaterThanOrEqual(3);
    },
  );

  test("keeps words' times between long silences, in an MP3", async () => {
    const path = await sound(
      'gaps.mp3',
      ...['-f', 'lavfi', '-t', '8', '-i', 'anullsrc=r=16000:cl=mono', '-i', clip('0870'), '-i', clip('0920')],
      ...['-filter_complex', '[0]asplit=2[a][b];[a][1][b][2]concat=n=4:v=0:a=1', '-b:a', '32k'],
    );
    const { words } = await hear(path, 'audio/mpeg');
    expect(wordsInPlace(words, spoken['0870'], 8).length).toBeGreaterThanOrEqual(3);
    expect(wordsInPlace(words, spoken['0920'], 8 + 7.1 + 8).length).toBeGreaterThanOrEqual(3);
    expect(words.every(({ start, end }) => start <= end && end <= 8 + 7.1 + 8 + 6.05 + 1)).toBe(true);
  });

  test.each([
    ['silence', 'anullsrc=r=16000:cl=mono'],
    ['white noise', 'anoisesrc=color=white:amplitude=0.3'],
    ['a chord', "aevalsrc='0.2*(sin(2*PI*261.63*t)+sin(2*PI*329.63*t)+sin(2*PI*392*t))'"],
    [
      'a tune with bass and drums',
      "aevalsrc='0.12*exp(-6*mod(t,0.25))*sin(2*PI*t*330*(1+0.125*mod(floor(t*4)*3,7)))" +
        "+0.2*sin(2*PI*t*110*(1+0.5*mod(floor(t),2)))+0.2*exp(-30*mod(t,0.5))*(random(0)-0.5)'",
    ],
    ['drums', "aevalsrc='0.3*exp(-20*mod(t,0.4))*(random(0)-0.5)'"],
  ])('finds no words in %s', async (name, filter) => {
    const path = await sound(`${name}.wav`, '-f', 'lavfi', '-t', '8', '-i', filter);
    expect((await hear(path)).words).toEqual([]);
  });

  test('refuses a wrong key and a file without audio, in OpenAI’s format', async () => {
    const refused = await post(await form(clip('0920')), 'wrong');
    expect(refused.status).toBe(401);
    const error = { message: expect.any(String), type: expect.any(String) };
    expect(await refused.json()).toMatchObject({ error });
    const text = join(directory, 'text.wav');
    await writeFile(text, "This isn't audio. ".repeat(1000));
    await expect(hear(text)).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('responds with words and segments', async () => {
    const times = { start: expect.any(Number), end: expect.any(Number) };
    expect(await (await post(await form(clip('0920')))).json()).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: expect.closeTo(6.05, 1),
      text: expect.stringContaining('woman'),
      words: expect.arrayContaining([expect.objectContaining({ word: expect.any(String), ...times })]),
      segments: [expect.objectContaining({ id: 0, text: expect.any(String), ...times })],
    });
  });
});

describe.skipIf(real)('the local server', () => {
  const emptied = () =>
    expect
      .poll(() => readdir(join(directory, 'cache', 'work')), { timeout: 60_000 })
      .not.toContainEqual(expect.stringMatching(/^job-/));

  test('answers health checks without a key, names its engine, and has no other paths', async () => {
    const { url, engine } = local as LocalSpeech;
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', engine });
    const headers = { authorization: 'Bearer test-key' };
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    for (const path of ['/v1/models', '//nothing'])
      expect((await fetch(url + path, { headers })).status).toBe(404);
    expect((await hear(clip('0920'))).engine).toBe(engine);
  });

  test('refuses requests that are malformed, unsupported or too large', async () => {
    const empty = new FormData();
    empty.append('model', 'whisper-1');
    expect((await post(empty)).status).toBe(400);
    expect((await post(await form(clip('0920'), 'srt'))).status).toBe(400);
    expect((await post(await form(clip('0920'), 'verbose_json', 'letter'))).status).toBe(400);
    const large = new FormData();
    large.append('file', new Blob([new Uint8Array(26 * 1024 * 1024)]), 'large.wav');
    expect((await post(large)).status).toBe(413);
    if (local?.engine === 'pocketsphinx') {
      const audio = { path: clip('0920'), fileName: 'a.wav', contentType: 'audio/wav' };
      await expect(transcribe({ ...service, language: 'de' }, audio)).rejects.toMatchObject({
        kind: 'rejected',
        message: 'The speech engine doesn’t support this language.',
      });
    }
    await emptied();
  });

  test("doesn't follow a playlist disguised as audio", async () => {
    const playlist = join(directory, 'playlist.mp3');
    for (const content of [
      `#EXTM3U\n#EXTINF:6,\nfile:${clip('0920')}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile 'file:${clip('0920')}'\n`,
    ]) {
      await writeFile(playlist, content);
      expect((await post(await form(playlist))).status).toBe(400);
    }
  });

  /** Starts transcribing a long recording, and waits until the engine is at work. */
  async function startLongJob(options: { baseUrl: string; signal?: AbortSignal }, cacheDir: string) {
    const path = await sound('long.wav', '-stream_loop', '20', '-i', clip('0920'));
    const audio = { path, fileName: 'long.wav', contentType: 'audio/wav' };
    const result = transcribe({ ...service, ...options }, audio);
    result.catch(() => {});
    const files = () => readdir(join(cacheDir, 'work'), { recursive: true });
    const working = expect.stringMatching(/^job-.*passage\.raw$/);
    await expect.poll(files, { timeout: 60_000 }).toContainEqual(working);
    return { result };
  }

  test('stops the job and removes its files when the client disconnects', async () => {
    const { baseUrl } = service;
    const controller = new AbortController();
    const job = await startLongJob({ baseUrl, signal: controller.signal }, join(directory, 'cache'));
    controller.abort();
    await expect(job.result).rejects.toMatchObject({ kind: 'unavailable' });
    await emptied();
  });

  test('closes in the middle of a job without leaving files behind', async () => {
    const cacheDir = join(directory, 'closing');
    const server = await startSpeech({ apiKey: 'test-key', cacheDir });
    const job = await startLongJob({ baseUrl: server.url }, cacheDir);
    await server.close();
    await expect(job.result).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test('says how to install an engine when there is none', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = directory;
    const server = await startSpeech({ apiKey: 'test-key', cacheDir: join(directory, 'none') }).finally(
      () => {
        process.env['PATH'] = path;
      },
    );
    expect(server.engine).toBe('none');
    const audio = { path: clip('0920'), fileName: 'a.wav', contentType: 'audio/wav' };
    await expect(transcribe({ ...service, baseUrl: server.url }, audio)).rejects.toMatchObject({
      kind: 'not_configured',
    });
    expect(server.describe).toMatch(/SPEECH_BASE_URL.*apt-get install/);
    await server.close();
  });
});
