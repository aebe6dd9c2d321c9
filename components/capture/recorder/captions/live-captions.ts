import { type Camera, recordedTime } from '@/components/capture/recorder/recorder-state';
import { createPageStore } from '@/components/device/page-store';
import { isFileGone, offerNewVersion } from '@/components/ui/load-code';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import type { FromSpeechWorker, ToSpeechWorker, WordsProblem } from '@/lib/video/speech/live-messages';
import { type AudioTap, openAudioTap } from './audio-tap';
import {
  type CaptionsState,
  captionOf,
  type HeardWords,
  INITIAL_CAPTIONS,
  recordingKey,
} from './captions-state';
import { readWords, saveWords } from './words-store';

/** Recognizes what's said in recordings, in a worker. All of it fails by itself and leaves the recorder alone. */
export type LiveCaptions = ReturnType<typeof startLiveCaptions>;

type DraftMessage = Extract<FromSpeechWorker, { type: 'draft' | 'finished' }>;

/** A module with an instruction of WebAssembly SIMD, which the engine needs. */
const SIMD = '0061736d010000000105016000017b030201000a0a0108004100fd0ffd620b';
/** After this long, don't wait for the tap's last samples: the microphone is gone. Milliseconds. */
const TAP_TIMEOUT = 1000;

function isSupported(): boolean {
  const bytes = Uint8Array.from(SIMD.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return 'AudioWorkletNode' in window && 'caches' in window && WebAssembly.validate(bytes);
}

/**
 * Starts the worker, which downloads the engine unless this browser has it.
 * @param folder the address of the worker and the audio worklet
 * @param isVisitor whether nobody is signed in, so that there are no names they've corrected before
 */
export function startLiveCaptions(folder: string, isVisitor: boolean) {
  const store = createPageStore(INITIAL_CAPTIONS);
  let worker: Worker | null = null;
  let open: { stream: MediaStream; tap: AudioTap } | null = null;
  /** The recording whose words are on screen. */
  let shown: string | null = null;
  let latest: Camera = { phase: 'idle' };
  /** The recording that's being listened to. Its length, in seconds, is set once the recorder has stopped. */
  let listening: { tap: AudioTap; length: number | null } | null = null;
  /** Whether the current recording isn't to be listened to, or not any longer. */
  let missed = true;
  let closing = false;

  const setState = (change: Partial<CaptionsState>) => store.set({ ...store.get(), ...change });
  const setHeard = (key: string, words: HeardWords) =>
    setState({ heard: new Map(store.get().heard).set(key, words) });
  const send = (message: ToSpeechWorker, transfer: Transferable[] = []) =>
    worker?.postMessage(message, transfer);

  function closeTap(): void {
    open?.tap.close();
    open = null;
  }

  function terminate(): void {
    worker?.terminate();
    worker = null;
    listening = null;
    closeTap();
  }

  function terminateIfDone(): void {
    if ([...store.get().heard.values()].every(({ done }) => done)) terminate();
  }

  /** Leaves recordings without the words that are still missing. */
  function dropPending(): void {
    const pending = [...store.get().heard].filter(([, { done }]) => !done);
    for (const [key] of pending) setHeard(key, { draft: null, done: true });
    setState({ captions: INITIAL_CAPTIONS.captions });
    listening = null;
  }

  function fail(problem: WordsProblem): void {
    dropPending();
    setState({ problem });
    // Only the next recording shows whether the device is still too busy.
    if (problem !== 'slow' || closing) terminate();
  }

  function receiveDraft({ type, recording, draft, until }: DraftMessage): void {
    const complete = type === 'finished';
    if (recording) void saveWords(recording, until, { draft, complete });
    setHeard(recording, { draft, done: complete });
    if (recording === shown) setState({ captions: { settled: captionOf(draft), open: '' } });
    if (closing) terminateIfDone();
  }

  function receive(message: FromSpeechWorker): void {
    if (message.type === 'loading') setState({ loading: message });
    else if (message.type === 'ready') setState({ loading: null });
    else if (message.type === 'failed') fail(message.problem);
    else if (message.type === 'text') {
      if (message.recording === shown)
        setState({ captions: { ...store.get().captions, open: message.text } });
    } else if (message.type === 'silence') {
      if (message.recording) void saveWords(message.recording, message.until);
    } else receiveDraft(message);
  }

  /** Ends a recording after its last samples. */
  function finish(): void {
    if (listening?.length == null) return;
    send({ type: 'finish', length: listening.length });
    if (open?.tap === listening.tap) closeTap();
    listening = null;
  }

  function openTap(stream: MediaStream): void {
    closeTap();
    const tap = openAudioTap(stream, `${folder}/audio-tap.js`, {
      onStart: () => send({ type: 'continue', at: recordedTime(latest, performance.now()) / 1000 }),
      onSamples: (samples) => send({ type: 'samples', samples }, [samples.buffer]),
      onStop: finish,
      onError: () => fail('broken'),
    });
    open = { stream, tap };
  }

  function begin(tap: AudioTap, recordingId: string | null): void {
    // The recording before may still wait for its last samples.
    finish();
    missed = true;
    listening = { tap, length: null };
    const key = recordingKey(recordingId);
    shown = key;
    setState({ problem: null, captions: INITIAL_CAPTIONS.captions });
    setHeard(key, { draft: null, done: false });
    send({ type: 'record', recording: key, rate: tap.rate });
  }

  function end(length: number): void {
    if (!listening || listening.length !== null) return;
    const ended = listening;
    ended.length = length;
    ended.tap.pass(false);
    setTimeout(() => listening === ended && finish(), TAP_TIMEOUT);
  }

  function follow(camera: Camera, stream: MediaStream | null): void {
    if (!worker || closing) return;
    const length = recordedTime(latest, performance.now()) / 1000;
    latest = camera;
    const isRecording = camera.phase === 'recording';
    // It says that the recording goes on, which isn't so before the next one.
    const isBefore = camera.phase === 'idle' || camera.phase === 'asking' || camera.phase === 'counting';
    if (isBefore && store.get().problem === 'slow') setState({ problem: null });
    if (stream && stream !== open?.stream && (isRecording || camera.phase === 'counting')) openTap(stream);
    if (isRecording && open && !missed) begin(open.tap, camera.id);
    if (isRecording) listening?.tap.pass(!camera.paused);
    else {
      missed = false;
      end(camera.phase === 'stopping' ? camera.recorded / 1000 : length);
      if (!stream && !listening) closeTap();
    }
  }

  if (isSupported()) {
    const script = `${folder}/worker.js`;
    worker = new Worker(script, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromSpeechWorker>) => receive(data);
    worker.onerror = async (event) => {
      event.preventDefault();
      if (await isFileGone(new Error(script))) offerNewVersion();
      receive({ type: 'failed', problem: 'broken' });
    };
    // It prefers names that the user has corrected before, and does without if they can't be asked for.
    if (!isVisitor)
      call('GET /vocabulary', { onExpired: 'throw' })
        .then(({ words }) => send({ type: 'vocabulary', words }))
        .catch(logRejected);
  } else setState({ problem: 'unsupported' });

  return {
    state: store,
    /** Follows the recorder. To be called on each change. */
    follow(camera: Camera, stream: MediaStream | null): void {
      try {
        follow(camera, stream);
      } catch {
        fail('broken');
      }
    },
    /** Returns a recording's words once they're complete; null if it has none. */
    async draftOf(recordingId: string | null): Promise<DraftTranscript | null> {
      const key = recordingKey(recordingId);
      if (!store.get().heard.has(key)) {
        // Words may have been switched off and on since.
        const saved = await readWords(key);
        return saved?.complete ? saved.draft : null;
      }
      return new Promise((resolve) => {
        const check = () => {
          const heard = store.get().heard.get(key);
          if (heard && !heard.done) return;
          stop();
          resolve(heard?.draft ?? null);
        };
        const stop = store.subscribe(check);
        check();
      });
    },
    /** Drops the words of the recording that’s going on. */
    abort(): void {
      if (listening?.length === null) dropPending();
    },
    /** Ends it, once all words so far have been recognized. */
    close(): void {
      closing = true;
      end(recordedTime(latest, performance.now()) / 1000);
      terminateIfDone();
    },
  };
}
