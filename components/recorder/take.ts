import {
  CAMERA_GONE,
  CAMERA_SILENT,
  DEVICE_FULL,
  littleRoom,
  MICROPHONE_GONE,
  MICROPHONE_SILENT,
  NO_SAFETY_COPY,
  RECORDER_FAILED,
} from './camera-problems';
import { halt } from './devices';
import type { Notice, Recording } from './recorder-state';
import {
  BYTES_PER_SECOND,
  KEY_FRAME_INTERVAL,
  recordingFile,
  recordingFormat,
  SLICE_INTERVAL,
} from './recording-format';
import type { RecordingSink } from './recording-sink';
import { beginLocalCopy, dropLocalCopy, type LocalCopy } from './recording-store';

/** Below so many minutes of room for the safety copy the person is told. */
const ENOUGH_MINUTES = 10;
/** A camera may miss a moment without a word; milliseconds. */
const SILENT_FOR = 2000;

/** One recording from its start to its end. */
export interface Take {
  stop(): void;
  pause(): void;
  resume(): void;
  /** Ends it and leaves what there is to be recovered, as the page is being left. */
  abandon(): void;
}

export interface TakeEvents {
  noticed(notice: Notice | null): void;
  /**
   * It has ended and its tracks are halted.
   * @param recording null when nothing was recorded
   * @param problem why it has ended without being asked to
   */
  ended(recording: Recording | null, problem: string | null, copy: LocalCopy | null): void;
}

/** How many minutes of safety copy the browser has room for; null where it does not say. */
async function minutesOfRoom(): Promise<number | null> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return quota === undefined ? null : Math.floor((quota - usage) / BYTES_PER_SECOND / 60);
}

const isFull = (error: unknown): boolean =>
  error instanceof Object && Reflect.get(error, 'name') === 'QuotaExceededError';

/** Tells when a camera or a microphone goes away while it records, falls silent for a while, or is back. */
function watchTracks(
  stream: MediaStream,
  told: { gone(problem: string): void; silent(notice: Notice): void; back(): void },
): void {
  for (const track of stream.getTracks()) {
    const isVideo = track.kind === 'video';
    // Only the outside ends a track with an event: a plug, a switch, the browser's settings, a computer asleep.
    track.addEventListener('ended', () => told.gone(isVideo ? CAMERA_GONE : MICROPHONE_GONE));
    let waiting: ReturnType<typeof setTimeout>;
    track.addEventListener('mute', () => {
      waiting = setTimeout(() => told.silent(isVideo ? CAMERA_SILENT : MICROPHONE_SILENT), SILENT_FOR);
    });
    track.addEventListener('unmute', () => {
      clearTimeout(waiting);
      told.back();
    });
  }
}

/**
 * Records a stream. Every slice goes to this device's store at once, and to `sink`; a store that fails costs the
 * safety copy, never the recording.
 * @param owner the account that the safety copy belongs to
 * @throws DOMException when the browser cannot record the stream
 */
export async function beginTake(
  owner: string,
  stream: MediaStream,
  sink: RecordingSink | undefined,
  { noticed, ended }: TakeEvents,
): Promise<Take> {
  const mimeType = recordingFormat();
  const options = { ...(mimeType && { mimeType }), videoKeyFrameIntervalDuration: KEY_FRAME_INTERVAL };
  const recorder = new MediaRecorder(stream, options);
  const recordedAs = recorder.mimeType || mimeType || 'video/webm';
  void navigator.storage?.persist?.().catch(() => false);
  const [copy, minutes] = await Promise.all([
    beginLocalCopy(owner, recordedAs).catch(() => null),
    minutesOfRoom(),
  ]);
  if (copy && minutes !== null && minutes < ENOUGH_MINUTES) noticed(littleRoom(minutes));

  const slices: Blob[] = [];
  let [recorded, since] = [0, performance.now()];
  let problem: string | null = null;
  let abandoned = false;
  /** Why the safety copy is not whole. */
  let failure: Notice | null = copy ? null : NO_SAFETY_COPY;
  if (failure) noticed(failure);
  let written: Promise<unknown> = Promise.resolve();
  const length = () => recorded + (recorder.state === 'recording' ? performance.now() - since : 0);

  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return;
    slices.push(data);
    sink?.write(data);
    const until = length();
    // After a gap the rest is no use: the copy ends where it was whole.
    written = written
      .then(() => (failure ? undefined : copy?.write(data, until)))
      .catch((error) => {
        failure = isFull(error) ? DEVICE_FULL : NO_SAFETY_COPY;
        noticed(failure);
      });
  };
  const flush = () => {
    if (document.visibilityState === 'hidden' && recorder.state === 'recording') recorder.requestData();
  };
  recorder.onerror = () => {
    problem = RECORDER_FAILED;
  };
  recorder.onstop = async () => {
    document.removeEventListener('visibilitychange', flush);
    sink?.end();
    halt(stream);
    await written;
    if (abandoned) return copy?.release();
    if (slices.length > 0) {
      const file = recordingFile(slices, recorder.mimeType || slices[0]?.type || recordedAs);
      return ended({ id: copy?.id ?? null, file }, problem, copy);
    }
    if (copy) await dropLocalCopy(copy.id).catch(() => {});
    ended(null, problem, null);
  };
  const stop = () => {
    if (recorder.state === 'inactive') return;
    recorded = length();
    since = performance.now();
    recorder.stop();
  };
  watchTracks(stream, {
    gone(why) {
      problem ??= why;
      stop();
    },
    silent: (notice) => recorder.state === 'recording' && noticed(notice),
    back: () => noticed(failure),
  });

  document.addEventListener('visibilitychange', flush);
  recorder.start(SLICE_INTERVAL);
  since = performance.now();
  sink?.begin(copy?.id ?? null, recordedAs);
  return {
    stop,
    pause() {
      recorded = length();
      recorder.pause();
    },
    resume() {
      since = performance.now();
      recorder.resume();
    },
    abandon() {
      abandoned = true;
      stop();
      halt(stream);
    },
  };
}
