import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import {
  hasApiKey,
  jsonReply,
  type LoopbackServer,
  RefusedRequest,
  type Reply,
  startLoopbackServer,
} from '../loopback-server';
import { formatTranscript } from './answer';
import { type Confine, UnreadableAudio } from './decode';
import { findEngine, transcribeFile } from './engine';
import { Refusal, receiveUpload } from './upload';

/** How many transcriptions run at once. Each keeps a core busy. */
const concurrency = 2;
/** How long a transcription may take, including its wait for others, in milliseconds. */
const longestJob = 30 * 60_000;

const noEngine =
  'No speech engine is configured. Set SPEECH_BASE_URL, SPEECH_API_KEY and SPEECH_MODEL to an ' +
  'OpenAI-compatible service, or install one here: apt-get install ffmpeg pocketsphinx pocketsphinx-en-us.';

/** How long closing waits for the responses of aborted transcriptions, in milliseconds. */
const closeTimeoutMs = 2000;

export type LocalSpeech = LoopbackServer & {
  engine: 'whisper' | 'pocketsphinx' | 'none';
  /** What `up` prints: the engine, or how to install one. */
  describe: string;
};

/**
 * Serves OpenAI's `POST /v1/audio/transcriptions` on the loopback interface with the best engine this machine has.
 * Without one, it answers 501 `no_engine`. Models are in `cacheDir`. Uploads pass through `cacheDir/work`, which is
 * emptied at every start, because a kill may leave files in it.
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

  const transcribe = async (request: IncomingMessage, response: ServerResponse): Promise<Reply> => {
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
      return jsonReply(200, formatTranscript(transcript), { 'x-speech-engine': engine.name });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<Reply> => {
    const [path] = (request.url ?? '/').split('?');
    const route = `${request.method} ${path}`;
    if (route === 'GET /health') return jsonReply(200, { status: 'ok', engine: engine?.name ?? 'none' });
    if (!hasApiKey(request, options.apiKey)) {
      throw new Refusal(401, 'Incorrect API key provided.', null, 'invalid_api_key');
    }
    if (route === 'POST /v1/audio/transcriptions') return transcribe(request, response);
    throw new Refusal(404, `Invalid URL (${route})`);
  };

  const server = await startLoopbackServer({
    port: options.port,
    log: options.log,
    handle,
    toReply(error) {
      const { status, message, param, code } = refusalFor(error);
      const type = status >= 500 ? 'server_error' : 'invalid_request_error';
      return jsonReply(status, { error: { message, type, param, code } }, { connection: 'close' });
    },
  });
  return {
    ...server,
    engine: engine?.name ?? 'none',
    describe: engine?.describe ?? noEngine,
    close: async () => {
      closing.abort();
      await server.close(closeTimeoutMs);
      await rm(work, { recursive: true, force: true });
    },
  };
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RefusedRequest) return new Refusal(error.status, error.message);
  if (error instanceof UnreadableAudio) return new Refusal(400, error.message, 'file', 'invalid_audio');
  if (error instanceof Error && error.name === 'AbortError')
    return new Refusal(503, 'The server is closing.');
  return new Refusal(500, 'The transcription failed or took too long.');
}
