import type { LiveUploads } from '@/components/capture/uploads/transfer/live-upload';
import { freeBytes, isDeviceFull } from '@/components/device/free-space';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { stopTracks } from './devices';
import { isDrawn } from './drawn-picture';
import { createPictureSwitch } from './picture-switch';
import type { Mark, Notice, Recording } from './recorder-state';
import { recordingLimits, watchLimits } from './recording-limits';
import { lowSpaceNotice, RECORDING_SAVED, STOPPED, WARNINGS } from './recording-notices';
import {
  createLocalCopy,
  deleteLocalCopy,
  type LocalCopy,
  type RecordingAbout,
  recordingFile,
  saveDetails,
} from './recording-store';

/** Milliseconds between slices and between key frames. Chromium ends MP4 slices at key frames only. */
const SLICE_INTERVAL = 250;
const KEY_FRAME_INTERVAL = 500;

/** Milliseconds without any data until we say so. */
const SILENCE_LIMIT = 6000;

/** Bytes per second: MediaRecorder's default video bit rate (2.5 Mbit/s in Chromium) plus audio. */
const BYTES_PER_SECOND = 340_000;

/**
 * In order of preference: H.264 plays without a transcode, and MP4 has a duration. `avc3` repeats the parameter sets,
 * so that a recording stays decodable when a phone is rotated during it; with `avc1` it doesn't.
 */
const FORMATS = [
  'video/mp4;codecs=avc3.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,opus',
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/webm;codecs=vp9,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
];

/** Warn when there's space for fewer minutes than this. */
const LOW_SPACE_MINUTES = 10;
/** Mutes shorter than this are ignored, in milliseconds. */
const MUTE_DELAY = 2000;

/** One recording from its start to its end. */
export type RecordingSession = Awaited<ReturnType<typeof startRecordingSession>>;

/**
 * Records a stream, whose picture can be replaced where the browser can do that. Every slice goes to the local copy right
 * away, and to `sink`. If the copy fails, the recording continues without it.
 * @param limits what videos here stay within, which decides when the recording stops
 * @param onEnded called once it has ended and its tracks are stopped, without a recording if nothing was recorded, and with
 *   why it stopped by itself, or null if the user stopped it
 * @throws DOMException if the browser can't record the stream
 */
export async function startRecordingSession(
  about: RecordingAbout,
  stream: MediaStream,
  sink: LiveUploads | undefined,
  limits: FileLimits,
  onNotice: (notice: Notice | null) => void,
  onEnded: (recording: Recording | null, problem: string | null, copy: LocalCopy | null) => void,
) {
  // Undefined for the browser's default.
  const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
  const options = { ...(mimeType && { mimeType }), videoKeyFrameIntervalDuration: KEY_FRAME_INTERVAL };
  const picture = stream.getVideoTracks()[0];
  const shown = picture ? createPictureSwitch(picture) : null;
  const recorded = shown ? new MediaStream([shown.track, ...stream.getAudioTracks()]) : stream;
  const recorder = new MediaRecorder(recorded, options);
  const recordedAs = recorder.mimeType || mimeType || 'video/webm';
  void navigator.storage?.persist?.().catch(() => false);
  const [copy, space] = await Promise.all([
    createLocalCopy(about, recordedAs).catch(() => null),
    freeBytes(),
  ]);
  const minutes = space === null ? Number.POSITIVE_INFINITY : Math.floor(space / BYTES_PER_SECOND / 60);
  if (copy && minutes < LOW_SPACE_MINUTES) onNotice(lowSpaceNotice(minutes));

  const slices: Blob[] = [];
  const marks: Mark[] = [];
  let bytes = 0;
  const checkLimits = watchLimits(recordingLimits(limits, recordedAs, picture?.getSettings() ?? {}));
  let [earlier, since] = [0, performance.now()];
  let problem: string | null = null;
  let abandoned = false;
  /** Why the local copy is incomplete. */
  let failure: Notice | null = copy ? null : WARNINGS.noLocalCopy;
  if (failure) onNotice(failure);
  let written: Promise<unknown> = Promise.resolve();
  const length = () => earlier + (recorder.state === 'recording' ? performance.now() - since : 0);

  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return;
    if (slices.length === 0 && length() > SILENCE_LIMIT) onNotice(failure);
    slices.push(data);
    sink?.write(data);
    const until = length();
    bytes += data.size;
    if (recorder.state === 'recording') {
      const { warning, reached } = checkLimits({ bytes, seconds: until / 1000 });
      if (warning) onNotice({ text: warning, urgent: false });
      if (reached) {
        problem ??= `${reached} ${RECORDING_SAVED}`;
        stop();
      }
    }
    // Slices after a gap are useless, so the copy ends before it.
    written = written
      .then(() => (failure ? undefined : copy?.write(data, until)))
      .catch((error) => {
        failure = isDeviceFull(error) ? WARNINGS.deviceFull : WARNINGS.noLocalCopy;
        onNotice(failure);
      });
  };
  const flush = () => {
    if (document.visibilityState === 'hidden' && recorder.state === 'recording') recorder.requestData();
  };
  recorder.onerror = () => {
    problem = STOPPED.recorder;
  };
  recorder.onstop = async () => {
    document.removeEventListener('visibilitychange', flush);
    sink?.end();
    end();
    await written;
    if (abandoned) return copy?.release();
    if (slices.length > 0) {
      const file = recordingFile(slices, recorder.mimeType || slices[0]?.type || recordedAs);
      return onEnded({ id: copy?.id ?? null, file, question: about.question, marks }, problem, copy);
    }
    if (copy) await deleteLocalCopy(copy.id).catch(() => {});
    onEnded(null, problem, null);
  };
  const end = () => {
    stopTracks(stream);
    shown?.stop();
  };
  const stop = () => {
    if (recorder.state === 'inactive') return;
    earlier = length();
    since = performance.now();
    recorder.stop();
  };
  const watch = (track: MediaStreamTrack) => {
    if (isDrawn(track)) return;
    const source = track.kind === 'video' ? 'camera' : 'microphone';
    // Fires only for outside causes: unplugging, a hardware switch, browser settings, sleep.
    track.addEventListener('ended', () => {
      problem ??= STOPPED[source];
      stop();
    });
    let waiting: ReturnType<typeof setTimeout>;
    track.addEventListener('mute', () => {
      const warn = () => {
        if (recorder.state === 'recording' && track.readyState === 'live') onNotice(WARNINGS.muted[source]);
      };
      waiting = setTimeout(warn, MUTE_DELAY);
    });
    track.addEventListener('unmute', () => {
      clearTimeout(waiting);
      onNotice(failure);
    });
  };
  for (const track of stream.getTracks()) watch(track);
  document.addEventListener('visibilitychange', flush);
  recorder.start(SLICE_INTERVAL);
  setTimeout(() => {
    if (recorder.state === 'recording' && slices.length === 0) onNotice(WARNINGS.nothingArrives);
  }, SILENCE_LIMIT);
  since = performance.now();
  sink?.begin(copy?.id ?? null, recordedAs);
  return {
    /** That of the local copy; null if there is none. */
    id: copy?.id ?? null,
    stop,
    pause() {
      earlier = length();
      recorder.pause();
    },
    resume() {
      since = performance.now();
      recorder.resume();
    },
    /** Marks this moment, also in the local copy. @returns null if the recording has ended */
    mark(): Mark | null {
      if (recorder.state === 'inactive') return null;
      const mark = {
        id: crypto.randomUUID(),
        seconds: Math.floor(length()) / 1000,
        at: Date.now(),
        text: '',
      };
      marks.push(mark);
      // What can't be written says so with the next slice.
      if (copy && !failure) void saveDetails(copy.id, { marks });
      return mark;
    },
    /** Records another picture from now on, where the browser can do that, and ends the one before. */
    replacePicture(track: MediaStreamTrack): void {
      if (!shown || recorder.state === 'inactive') {
        track.stop();
        return;
      }
      shown.show(track);
      watch(track);
      for (const before of stream.getVideoTracks()) {
        before.stop();
        stream.removeTrack(before);
      }
      stream.addTrack(track);
      onNotice(failure);
    },
    /** Stops and leaves the local copy for recovery, when the user leaves the page. */
    abandon() {
      abandoned = true;
      stop();
      end();
    },
  };
}
