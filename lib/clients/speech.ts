import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { env } from '@/lib/foundation/env';
import { connectionError, invalidResponseError, SpeechError, statusError } from './speech-error';
import { parseTranscription, type Transcription } from './speech-response';

/** Where to send audio. `language` is an ISO 639-1 code; without it, the service guesses. */
export type SpeechOptions = {
  baseUrl: string;
  apiKey?: string;
  model: string;
  language?: string;
  /** The longest wait for the complete response, in milliseconds. */
  timeoutMs?: number;
  /** The longest wait for a connection, for progress of the upload, and between parts of the response. Milliseconds. */
  idleTimeoutMs?: number;
  signal?: AbortSignal;
};

/** A local audio file, and the name and type to send it with. */
export type SpeechAudio = { path: string; fileName: string; contentType: string };

/** Slow engines take about as long as the audio lasts; half an hour covers the longest audio in one request. */
const defaultTimeoutMs = 30 * 60_000;
const defaultIdleTimeoutMs = 60_000;
/** 200,000 words with their times take about 12 MB; more can't be a transcript. Bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Asks an OpenAI-compatible server (`POST /v1/audio/transcriptions`) for an audio file's words and their times.
 * `baseUrl` may end in `/v1` or not. Streams the file with a known length, because some servers don't accept chunked
 * bodies, and uses `node:http`, because `fetch` gives up after five silent minutes.
 *
 * @throws SpeechError and nothing else
 */
export async function transcribe(options: SpeechOptions, audio: SpeechAudio): Promise<Transcription> {
  const url = new URL(`${options.baseUrl.replace(/(\/v1)?\/*$/, '')}/v1/audio/transcriptions`);
  const deadline = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const { status, headers, body } = await post(url, options, audio, signal);
  if (status !== 200) throw statusError(status, headers['retry-after']);
  return parseTranscription(parseJson(body));
}

type SpeechResponse = { status: number; headers: IncomingMessage['headers']; body: string };

async function post(
  url: URL,
  options: SpeechOptions,
  audio: SpeechAudio,
  signal: AbortSignal,
): Promise<SpeechResponse> {
  const { size } = await stat(audio.path).catch((cause: unknown) => {
    throw new SpeechError('rejected', 'We couldn’t read this recording’s audio.', { cause });
  });
  const boundary = `daylight-${randomUUID()}`;
  const [head, tail] = multipartFrame(boundary, options, audio);
  const stop = new AbortController();
  const idleTimeoutMs = options.idleTimeoutMs ?? defaultIdleTimeoutMs;
  try {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(url, {
      method: 'POST',
      // A new connection each time: the server may close a kept-alive one at the moment it's reused.
      agent: false,
      signal: AbortSignal.any([signal, stop.signal]),
      timeout: idleTimeoutMs,
      headers: {
        accept: 'application/json',
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + size + tail.length,
        ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('The speech service went silent.')));
    // Engines send nothing while they work.
    outgoing.on('finish', () => outgoing.setTimeout(0));
    outgoing.on('response', () => outgoing.setTimeout(idleTimeoutMs));
    // A server may respond (429, 413) and close before it has read everything. The response counts, and a failed
    // upload matters only if there was none.
    const answered = new Promise<SpeechResponse>((resolve, reject) => {
      outgoing.once('response', (incoming) => readBody(incoming).then(resolve, reject));
      outgoing.on('error', reject);
    });
    const sent = pipeline(Readable.from(multipartBody(head, audio.path, size, tail)), outgoing);
    sent.catch(() => {});
    return await answered;
  } catch (error) {
    throw error instanceof SpeechError ? error : connectionError(error);
  } finally {
    stop.abort();
  }
}

function multipartFrame(boundary: string, options: SpeechOptions, audio: SpeechAudio): [Buffer, Buffer] {
  const fields: [string, string][] = [
    ['model', options.model],
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
  ];
  if (options.language) fields.push(['language', options.language]);
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  // Escape quotes and line breaks in the file name as the HTML standard's multipart encoding does.
  const fileName = audio.fileName.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const contentType = audio.contentType.replace(/[^\x20-\x7e]/g, '');
  parts.push(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
      `Content-Type: ${contentType}\r\n\r\n`,
  );
  return [Buffer.from(parts.join('')), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function* multipartBody(head: Buffer, path: string, size: number, tail: Buffer) {
  yield head;
  // Stop at the announced length, in case the file grows meanwhile.
  if (size > 0) yield* createReadStream(path, { end: size - 1 });
  yield tail;
}

async function readBody(incoming: IncomingMessage): Promise<SpeechResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) {
      throw invalidResponseError(`more than ${MAX_RESPONSE_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidResponseError('not JSON');
  }
}

/** Returns why videos wouldn't be transcribed, in sentences for the operator. Sends no audio. */
export async function findSpeechProblems(timeoutMs: number): Promise<string[]> {
  const { SPEECH_BASE_URL = '', SPEECH_API_KEY } = env();
  const base = SPEECH_BASE_URL.replace(/\/v1$/, '');
  try {
    // Servers that don't list their models answer 404, which also shows that they're there.
    const { status } = await fetch(`${base}/v1/models`, {
      headers: SPEECH_API_KEY ? { authorization: `Bearer ${SPEECH_API_KEY}` } : {},
      signal: AbortSignal.timeout(timeoutMs),
      cache: 'no-store',
    });
    if (status === 401) return ['The speech service rejected SPEECH_API_KEY.'];
    return status >= 500 ? [`The speech service isn’t working: it responded with status ${status}.`] : [];
  } catch {
    return ['The speech service isn’t responding. Start it, or fix SPEECH_BASE_URL.'];
  }
}
