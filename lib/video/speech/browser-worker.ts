/**
 * Recognizes speech in a worker of the browser while it's spoken. `scripts/build-speech.ts` bundles it and says which
 * files it loads.
 */
import { draftTranscript } from './draft';
import { loadEngine } from './engine';
import { recognizeLive, TooSlowError } from './live';
import type { FromSpeechWorker, ToSpeechWorker, WordsProblem } from './live-messages';
import { createResampler } from './resample';
import { cacheModels, DownloadError, type ServedFile } from './shared/model-cache';
import type { RecognizedPassage, SpeechEngine } from './types';

/** Set by the build. */
declare const SPEECH_FILES: readonly ServedFile[];

const tell = (message: FromSpeechWorker) => postMessage(message);

function problemOf(error: unknown): WordsProblem {
  if (error instanceof DownloadError) return 'download';
  if (error instanceof TooSlowError) return 'slow';
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'space' : 'broken';
}

const fail = (error: unknown) => tell({ type: 'failed', problem: problemOf(error) });

async function load(): Promise<SpeechEngine> {
  const total = SPEECH_FILES.reduce((sum, { bytes }) => sum + bytes, 0);
  const read = await cacheModels(SPEECH_FILES, (loaded) => tell({ type: 'loading', loaded, total }));
  const engine = await loadEngine(read);
  tell({ type: 'ready' });
  return engine;
}

/** Starts to recognize a recording. */
function startSession(engine: SpeechEngine, recording: string, rate: number) {
  const passages: RecognizedPassage[] = [];
  const over = new AbortController();
  const events = {
    onText: (text: string) => tell({ type: 'text', recording, text }),
    onPassage(passage: RecognizedPassage) {
      passages.push(passage);
      tell({ type: 'draft', recording, draft: draftTranscript(passages), until: passage.end });
    },
    onSilence: (until: number) => tell({ type: 'silence', recording, until }),
  };
  const preferring: typeof engine = {
    ...engine,
    recognize: (samples, passage, options) => engine.recognize(samples, passage, { ...options, vocabulary }),
  };
  const recognizer = recognizeLive(preferring, events, over.signal);
  return {
    recognizer,
    resample: createResampler(rate),
    /** @param length of the recording, in seconds */
    async finish(length: number) {
      await recognizer.finish();
      tell({ type: 'finished', recording, draft: draftTranscript(passages, length), until: length });
    },
    over,
  };
}

const engine = load();
let session: ReturnType<typeof startSession> | null = null;
let vocabulary: readonly string[] = [];

function stop(error?: unknown): void {
  session?.over.abort();
  session = null;
  if (error) fail(error);
}

/** Deals with a message. Resolves when the next one may follow, which is while samples are still being recognized. */
async function receive(message: ToSpeechWorker): Promise<void> {
  if (message.type === 'vocabulary') {
    vocabulary = message.words;
    return;
  }
  if (message.type === 'record') {
    stop();
    session = startSession(await engine, message.recording, message.rate);
    return;
  }
  if (!session) return;
  const { recognizer, resample, finish } = session;
  switch (message.type) {
    case 'continue':
      return recognizer.padTo(message.at);
    case 'samples':
      recognizer
        .push(resample(message.samples))
        .catch((error) => session?.recognizer === recognizer && stop(error));
      return;
    case 'finish':
      // The next recording waits, since there's one engine.
      await finish(message.length);
      return stop();
  }
}

let received: Promise<void> = engine.then(() => {}, fail);
addEventListener('message', ({ data }: MessageEvent<ToSpeechWorker>) => {
  received = received.then(() => receive(data)).catch(stop);
});
