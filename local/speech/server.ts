import { createHash, timingSafeEqual } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { formatError, formatTranscript } from './answer';
import { type Confine, UnreadableAudio } from './decode';
import { type Engine, findEngine, transcribeFile } from './engine';
import { Refusal, receiveUpload } from './upload';

/** Transcriptions at once; each keeps a core busy. */
const concurrency = 2;
/** The longest that one transcription may take, its wait for others included. Milliseconds. */
const longestJob = 30 * 60_000;

const noEngine =
  'No speech engine is configured. Set SPEECH_BASE_URL, SPEECH_API_KEY and SPEECH_MODEL to an ' +
  'OpenAI-compatible service, or install one here: apt-get install ffmpeg pocketsphinx pocketsphinx-en-us.';

export type LocalSpeech = {
  url: string;
  port: number;
  engine: 'whisper' | 'pocketsphinx' | 'none';
  /** What `up` prints: the engine, or how to get one. */
  describe: string;
  close(): Promise<void>;
};

/**
 * Serves OpenAI's `POST /v1/audio/transcriptions` on the loopback interface with the best engine that
 * this machine has; without any it answers 501 `no_engine`. Models are kept in `cacheDir`; uploads pass
 * through `cacheDir/work`, which is emptied at the start, should a kill have left something in it.
 */
export async function startSpeech(options: {
  apiKey: string;
  cacheDir: string;
  port?: number;
  confine?: Confine;
  log?: (line: Record<string, unknown>) => void;
}): Promise<LocalSpeech> {
  const work = resolve(options.cacheDir, 'work');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true, mode: 0o700 });
  const engine = await findEngine(options.cacheDir, join(work, 'probe'));
  const limit = pLimit(concurrency);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const transcriptions = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!engine) throw new Refusal(501, noEngine, null, 'no_engine');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(longestJob)]);
    const directory = await mkdtemp(join(work, 'job-'));
    try {
      const upload = await receiveUpload(request, directory);
      if (!engine.understands(upload.language)) {
        const message = `The local speech engine understands English only, not '${upload.language}'.`;
        throw new Refusal(400, message, 'language', 'unsupported_language');
      }
      const transcript = await limit(() => {
        signal.throwIfAborted();
        return transcribeFile(engine, upload.path, {
          directory,
          language: upload.language,
          signal,
          confine: options.confine,
        });
      });
      const { contentType, body } = formatTranscript(transcript, upload.format, upload.granularities);
      response.writeHead(200, { 'content-type': contentType, 'x-speech-engine': engine.name }).end(body);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };

  const server = createServer((request, response) => {
    const started = Date.now();
    const done = answer(request, response, options.apiKey, engine, transcriptions).then(() => {
      const path = request.url?.split('?')[0];
      options.log?.({ method: request.method, path, status: response.statusCode, ms: Date.now() - started });
    });
    running.add(done);
    done.finally(() => running.delete(done));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(options.port ?? 0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    engine: engine?.name ?? 'none',
    describe: engine?.describe ?? noEngine,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((ended) => server.close(() => ended()));
      await Promise.all(running);
      server.closeAllConnections();
      await closed;
      await rm(work, { recursive: true, force: true });
    },
  };
}

/** Routes one request, and words whatever goes wrong as OpenAI does. Never rejects. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  apiKey: string,
  engine: Engine | undefined,
  transcriptions: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  try {
    const [path] = (request.url ?? '/').split('?');
    const route = `${request.method} ${path}`;
    if (route === 'GET /health') {
      sendJson(response, 200, JSON.stringify({ status: 'ok', engine: engine?.name ?? 'none' }));
      return;
    }
    authenticate(request, apiKey);
    if (route === 'POST /v1/audio/transcriptions') {
      await transcriptions(request, response);
    } else if (route === 'GET /v1/models') {
      const data = engine ? [{ id: engine.model, object: 'model', created: 0, owned_by: 'local' }] : [];
      sendJson(response, 200, JSON.stringify({ object: 'list', data }));
    } else {
      throw new Refusal(404, `Invalid URL (${route})`);
    }
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, message, param, code } = refusalFor(error);
    // What is left of the body is read and dropped, so that the client gets to hear the answer.
    request.unpipe().resume();
    response.setHeader('connection', 'close');
    sendJson(response, status, formatError(status, message, param, code));
  }
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof UnreadableAudio) return new Refusal(400, error.message, 'file', 'invalid_audio');
  if (error instanceof Error && error.name === 'AbortError')
    return new Refusal(503, 'The server is closing.');
  return new Refusal(500, 'The transcription failed or took too long.');
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function authenticate(request: IncomingMessage, apiKey: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${apiKey}`))) {
    throw new Refusal(401, 'Incorrect API key provided.', null, 'invalid_api_key');
  }
}
