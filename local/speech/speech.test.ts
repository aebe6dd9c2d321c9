import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { transcribe } from '@/lib/services/speech';
import { nativeTool } from '@/test/media/ffmpeg-tools';
import { type LocalSpeech, startSpeech } from './server';

// Hearing takes seconds of a whole core, and much longer where every core is busy.
vi.setConfig({ testTimeout: 240_000 });

const execute = promisify(execFile);
const real = process.env['CONTRACT_SPEECH_BASE_URL'];
const testdata = '/usr/share/pocketsphinx/test/data/librivox';
const clip = (number: string) => join(testdata, `sense_and_sensibility_01_austen_64kb-${number}.wav`);

/** Words that are clearly spoken in the clips, and where they begin there, in seconds. */
const spoken = {
  '0870': { john: 0.63, leisure: 2.25, consider: 2.9, much: 3.93, might: 4.54, power: 5.75 },
  '0920': {
    married: 0.55,
    more: 1.03,
    amiable: 1.42,
    woman: 2.02,
    might: 2.73,
    made: 3.36,
    respectable: 4.26,
  },
};

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
  // As `up` starts it.
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

/** A file made by ffmpeg; the arguments name its inputs and filters. */
async function sound(name: string, ...args: string[]): Promise<string> {
  const path = join(directory, name);
  await execute('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, '-ar', '16000', '-ac', '1', path]);
  return path;
}
const generated = (name: string, filter: string) => sound(name, '-f', 'lavfi', '-t', '8', '-i', filter);

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

async function form(path: string, fields: [string, string][] = []): Promise<FormData> {
  const data = new FormData();
  data.append('file', new File([new Uint8Array(await readFile(path))], 'clip.wav', { type: 'audio/wav' }));
  for (const [name, value] of [['model', service.model], ...fields] as const) data.append(name, value);
  return data;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z']/g, '');
}

describe('any OpenAI-compatible server', () => {
  test.each(Object.entries(spoken))(
    'hears the clear words of clip %s where they are',
    async (number, expected) => {
      const { words, estimated } = await hear(clip(number));
      const found = Object.entries(expected).filter(([word]) =>
        words.some((heard) => plain(heard.word) === word),
      );
      expect(found.length).toBeGreaterThanOrEqual(Object.keys(expected).length - 1);
      const inPlace = found.filter(([word, start]) =>
        words.some((heard) => plain(heard.word) === word && Math.abs(heard.start - start) <= 0.3),
      );
      expect(estimated).toBe(false);
      expect(inPlace.length).toBeGreaterThanOrEqual(3);
    },
  );

  test('keeps the times of words between long silences, in an MP3', async () => {
    const path = await sound(
      'gaps.mp3',
      ...['-f', 'lavfi', '-t', '8', '-i', 'anullsrc=r=16000:cl=mono', '-i', clip('0870'), '-i', clip('0920')],
      ...['-filter_complex', '[0]asplit=2[a][b];[a][1][b][2]concat=n=4:v=0:a=1', '-b:a', '32k'],
    );
    const { words } = await hear(path, 'audio/mpeg');
    const at = (word: string, start: number) =>
      words.some((heard) => plain(heard.word) === word && Math.abs(heard.start - start) <= 0.3);
    const first = Object.entries(spoken['0870']).filter(([word, start]) => at(word, 8 + start));
    const second = Object.entries(spoken['0920']).filter(([word, start]) => at(word, 8 + 7.1 + 8 + start));
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(second.length).toBeGreaterThanOrEqual(3);
    expect(words.every(({ start, end }) => start <= end && end <= 8 + 7.1 + 8 + 6.05 + 1)).toBe(true);
  });

  test.each([
    ['silence', 'anullsrc=r=16000:cl=mono'],
    ['white noise', 'anoisesrc=color=white:amplitude=0.3'],
    ['pink noise', 'anoisesrc=color=pink:amplitude=0.3'],
    ['a chord', "aevalsrc='0.2*(sin(2*PI*261.63*t)+sin(2*PI*329.63*t)+sin(2*PI*392*t))'"],
    [
      'a tune on strings',
      "aevalsrc='0.2*exp(-4*mod(t,0.5))*(sin(2*PI*t*220*(1+0.25*mod(floor(t*2),4)))" +
        "+0.5*sin(4*PI*t*220*(1+0.25*mod(floor(t*2),4))))'",
    ],
    [
      'a tune with bass and drums',
      "aevalsrc='0.12*exp(-6*mod(t,0.25))*sin(2*PI*t*330*(1+0.125*mod(floor(t*4)*3,7)))" +
        "+0.2*sin(2*PI*t*110*(1+0.5*mod(floor(t),2)))+0.2*exp(-30*mod(t,0.5))*(random(0)-0.5)'",
    ],
    ['drums', "aevalsrc='0.3*exp(-20*mod(t,0.4))*(random(0)-0.5)'"],
  ])('hears no words in %s', async (name, filter) => {
    expect((await hear(await generated(`${name}.wav`, filter))).words).toEqual([]);
  });

  test('refuses a wrong key and a file that is no audio in OpenAI’s shape', async () => {
    const refused = await post(await form(clip('0920')), 'wrong');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String) },
    });

    const text = join(directory, 'text.wav');
    await writeFile(text, 'This is no audio. '.repeat(1000));
    const unreadable = await post(await form(text));
    expect(unreadable.status).toBe(400);
    await expect(hear(text)).rejects.toMatchObject({ kind: 'rejected' });
  });

  test.each([
    ['json', /^\{"text":\s*"/],
    ['text', /respectable/i],
    ['srt', /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n.+/],
    ['vtt', /^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n.+/],
  ])('answers in the format %s', async (format, pattern) => {
    const response = await post(await form(clip('0920'), [['response_format', format]]));
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(pattern)]);
  });

  test('answers verbose_json with the granularities that were asked for', async () => {
    const verbose = async (...granularities: string[]) => {
      const fields = granularities.map((name): [string, string] => ['timestamp_granularities[]', name]);
      return (await post(await form(clip('0920'), [['response_format', 'verbose_json'], ...fields]))).json();
    };
    expect(await verbose('word', 'segment')).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: expect.closeTo(6.05, 1),
      text: expect.stringContaining('woman'),
      words: expect.arrayContaining([
        expect.objectContaining({
          word: expect.any(String),
          start: expect.any(Number),
          end: expect.any(Number),
        }),
      ]),
      segments: [expect.objectContaining({ id: 0, text: expect.any(String) })],
    });
    expect(await verbose()).not.toHaveProperty('words');
  });
});

describe.skipIf(real)('the local server', () => {
  const work = () => readdir(join(directory, 'cache', 'work'));
  const emptied = async () => {
    const deadline = Date.now() + 60_000;
    while ((await work()).some((name) => name.startsWith('job-')) && Date.now() < deadline) await delay(20);
    expect((await work()).filter((name) => name.startsWith('job-'))).toEqual([]);
  };

  test('tells its health to anybody, its models to those with the key, and nothing else', async () => {
    const { url } = local as LocalSpeech;
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', engine: local?.engine });
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    const headers = { authorization: 'Bearer test-key' };
    expect(await (await fetch(`${url}/v1/models`, { headers })).json()).toMatchObject({
      object: 'list',
      data: [{ object: 'model' }],
    });
    expect((await fetch(`${url}//nothing`, { headers })).status).toBe(404);
  });

  test('names its engine to the client', async () => {
    expect((await hear(clip('0920'))).engine).toBe(local?.engine);
  });

  test('refuses what is malformed, too large or in a language it does not know', async () => {
    const empty = new FormData();
    empty.append('model', 'whisper-1');
    expect((await post(empty)).status).toBe(400);
    expect((await post(await form(clip('0920'), [['response_format', 'xml']]))).status).toBe(400);
    expect((await post(await form(clip('0920'), [['timestamp_granularities[]', 'letter']]))).status).toBe(
      400,
    );
    const large = new FormData();
    large.append('file', new Blob([new Uint8Array(26 * 1024 * 1024)]), 'large.wav');
    large.append('model', 'whisper-1');
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

  test('does not follow a playlist dressed as audio', async () => {
    const playlist = join(directory, 'playlist.mp3');
    for (const content of [
      `#EXTM3U\n#EXTINF:6,\nfile:${clip('0920')}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile 'file:${clip('0920')}'\n`,
    ]) {
      await writeFile(playlist, content);
      expect((await post(await form(playlist))).status).toBe(400);
    }
  });

  test('stops the work and removes the files of a client that went away', async () => {
    const long = await sound('long.wav', '-stream_loop', '20', '-i', clip('0920'));
    const abortController = new AbortController();
    const asked = transcribe(
      { ...service, signal: abortController.signal },
      { path: long, fileName: 'long.wav', contentType: 'audio/wav' },
    );
    asked.catch(() => {});
    const inWork = async () => {
      const jobs = (await work()).filter((name) => name.startsWith('job-'));
      const files = await Promise.all(jobs.map((job) => readdir(join(directory, 'cache', 'work', job))));
      return files.flat().includes('passage.raw');
    };
    await expect.poll(inWork, { timeout: 60_000 }).toBe(true);
    abortController.abort();
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable' });
    await emptied();
  });

  test('closes in the middle of work, leaving no file behind', async () => {
    const cacheDir = join(directory, 'closing');
    const server = await startSpeech({ apiKey: 'test-key', cacheDir });
    const long = await sound('longer.wav', '-stream_loop', '20', '-i', clip('0920'));
    const asked = transcribe(
      { ...service, baseUrl: server.url },
      { path: long, fileName: 'longer.wav', contentType: 'audio/wav' },
    );
    asked.catch(() => {});
    await expect
      .poll(() => readdir(join(cacheDir, 'work')), { timeout: 60_000 })
      .toContainEqual(expect.stringMatching(/^job-/));
    await server.close();
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test('without an engine it says how to get one', async () => {
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
