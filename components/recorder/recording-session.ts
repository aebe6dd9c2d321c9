import { stopTracks } from './devices';
import type { Notice, Recording } from './recorder-state';
import { createLocalCopy, deleteLocalCopy, type LocalCopy, recordingFile } from './recording-store';

const RECORDING_SAVED =
  'Everything up to that point is saved. Watch it, upload it, or start a new recording.';

/** Why a recording has ended without being asked to. */
const CAMERA_DISCONNECTED = `The camera was unplugged or switched off, so the recording has stopped. ${RECORDING_SAVED}`;
const MICROPHONE_DISCONNECTED = `The microphone was unplugged or switched off, so the recording has stopped. ${RECORDING_SAVED}`;
const RECORDER_FAILED = `The browser stopped the recording. ${RECORDING_SAVED}`;
export const NOTHING_RECORDED = 'Nothing was recorded. Select Start Recording to try again.';

/** What goes on all the same. */
const CAMERA_MUTED = {
  text: 'We’re getting no picture from your camera. You’re still recording. Check the camera’s cover, or reconnect it.',
  urgent: false,
};
const MICROPHONE_MUTED = {
  text: 'We’re getting no sound from your microphone. You’re still recording. Check whether it’s muted.',
  urgent: false,
};
const NO_LOCAL_COPY = {
  text: 'This browser can’t save a backup of your recording. Keep this page open until you’ve uploaded it.',
  urgent: false,
};
const DEVICE_FULL = {
  text: 'This device is full, so we can’t back up the rest of your recording. You’re still recording. Stop and upload soon, and keep this page open until then.',
  urgent: true,
};
/** @param minutes how long the copy can still become */
const lowSpaceNotice = (minutes: number) => ({
  text: `This device has space to back up ${minutes < 1 ? 'less than a minute' : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}. Free up some space before you make a longer recording.`,
  urgent: false,
});

/** Milliseconds between slices, and between key frames. Chromium ends the slices of an MP4 at key frames only. */
const SLICE_INTERVAL = 250;
const KEY_FRAME_INTERVAL = 500;

/** Bytes of a second: MediaRecorder's own rate for video (2.5 Mbit/s in Chromium), and its sound. */
const BYTES_PER_SECOND = 340_000;

/**
 * In order of preference: H.264 can be played without a transcode, and MP4 knows its duration. `avc3` repeats the
 * parameter sets, which a phone needs that is turned while it records; with `avc1` what follows cannot be decoded.
 */
const FORMATS = [
  'video/mp4;codecs=avc3.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/webm;codecs=vp9,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
];

/** The format to ask MediaRecorder for; undefined leaves the choice to the browser. */
function recordingFormat(): string | undefined {
  return FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
}

/** Below so many minutes of room for the safety copy the person is told. */
const LOW_SPACE_MINUTES = 10;
/** A camera may miss a moment without a word; milliseconds. */
const MUTE_DELAY = 2000;

/**
 * Gets a recording while it is made: every slice, in order, at the moment it is recorded, beside the copy on this
 * device. It never throws into the recorder; what goes wrong in it is its own affair.
 */
export interface RecordingSink {
  /**
   * The recorder has started.
   * @param recordingId the copy on this device, null when none can be kept
   * @param mimeType the recorder's media type with its codecs
   */
  begin(recordingId: string | null, mimeType: string): void;
  write(slice: Blob): void;
  /** The recorder has stopped, and the last slice was written. */
  end(): void;
}

/** One recording from its start to its end. */
export interface RecordingSession {
  stop(): void;
  pause(): void;
  resume(): void;
  /** Ends it and leaves what there is to be recovered, as the page is being left. */
  abandon(): void;
}

export interface RecordingSessionEvents {
  onNotice(notice: Notice | null): void;
  /**
   * It has ended and its tracks are halted.
   * @param recording null when nothing was recorded
   * @param problem why it has ended without being asked to
   */
  onEnded(recording: Recording | null, problem: string | null, copy: LocalCopy | null): void;
}

/** How many minutes of safety copy the browser has room for; null where it does not say. */
async function minutesOfFreeSpace(): Promise<number | null> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return quota === undefined ? null : Math.floor((quota - usage) / BYTES_PER_SECOND / 60);
}

const isQuotaExceeded = (error: unknown): boolean =>
  error instanceof Object && Reflect.get(error, 'name') === 'QuotaExceededError';

/** Tells when a camera or a microphone goes away while it records, falls silent for a while, or is back. */
function watchTracks(
  stream: MediaStream,
  told: { gone(problem: string): void; silent(notice: Notice): void; back(): void },
): void {
  for (const track of stream.getTracks()) {
    const isVideo = track.kind === 'video';
    // Only the outside ends a track with an event: a plug, a switch, the browser's settings, a computer asleep.
    track.addEventListener('ended', () => told.gone(isVideo ? CAMERA_DISCONNECTED : MICROPHONE_DISCONNECTED));
    let waiting: ReturnType<typeof setTimeout>;
    track.addEventListener('mute', () => {
      waiting = setTimeout(() => told.silent(isVideo ? CAMERA_MUTED : MICROPHONE_MUTED), MUTE_DELAY);
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
export async function startRecordingSession(
  owner: string,
  stream: MediaStream,
  sink: RecordingSink | undefined,
  { onNotice, onEnded }: RecordingSessionEvents,
): Promise<RecordingSession> {
  const mimeType = recordingFormat();
  const options = { ...(mimeType && { mimeType }), videoKeyFrameIntervalDuration: KEY_FRAME_INTERVAL };
  const recorder = new MediaRecorder(stream, options);
  const recordedAs = recorder.mimeType || mimeType || 'video/webm';
  void navigator.storage?.persist?.().catch(() => false);
  const [copy, minutes] = await Promise.all([
    createLocalCopy(owner, recordedAs).catch(() => null),
    minutesOfFreeSpace(),
  ]);
  if (copy && minutes !== null && minutes < LOW_SPACE_MINUTES) onNotice(lowSpaceNotice(minutes));

  const slices: Blob[] = [];
  let [recorded, since] = [0, performance.now()];
  let problem: string | null = null;
  let abandoned = false;
  /** Why the safety copy is not whole. */
  let failure: Notice | null = copy ? null : NO_LOCAL_COPY;
  if (failure) onNotice(failure);
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
        failure = isQuotaExceeded(error) ? DEVICE_FULL : NO_LOCAL_COPY;
        onNotice(failure);
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
    stopTracks(stream);
    await written;
    if (abandoned) return copy?.release();
    if (slices.length > 0) {
      const file = recordingFile(slices, recorder.mimeType || slices[0]?.type || recordedAs);
      return onEnded({ id: copy?.id ?? null, file }, problem, copy);
    }
    if (copy) await deleteLocalCopy(copy.id).catch(() => {});
    onEnded(null, problem, null);
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
    silent: (notice) => recorder.state === 'recording' && onNotice(notice),
    back: () => onNotice(failure),
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
      stopTracks(stream);
    },
  };
}
