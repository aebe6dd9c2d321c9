import type { StoredWords } from './captions/words-store';

/** A moment that was marked while it was recorded. */
export interface Mark {
  /** That of its note, so that sending it again doesn't add it twice. */
  id: string;
  /** Seconds into the recording. */
  seconds: number;
  /** When it was marked, in milliseconds since 1970. */
  at: number;
  /** What was written about it afterwards; may be empty. */
  text: string;
}

/** A finished recording. `id` is that of its local copy; null if it couldn't be saved. */
export interface Recording {
  id: string | null;
  file: File;
  /** The question that it answers. */
  question?: string | undefined;
  /** The moments that were marked, in order. */
  marks: readonly Mark[];
}

/** A recording from an earlier visit, or from before signing up, saved on this device. */
export interface RecoveredRecording extends Recording {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Its duration in milliseconds; null if unknown. */
  length: number | null;
  /** What was heard in it; null if nothing was, or words weren't switched on. */
  words: StoredWords | null;
}

/**
 * The camera's state. Times are milliseconds of one clock. `id` is that of the recording's local copy, `recorded` is the time recorded before `since`, `left` the
 * countdown's number, `previous` the recording to be replaced once there's a new one. `late` means that the camera
 * takes so long to open that canceling is offered.
 */
export type Camera =
  | { phase: 'idle' }
  | { phase: 'asking'; previous: Recording | null; late: boolean }
  | { phase: 'counting'; previous: Recording | null; left: number }
  | {
      phase: 'recording';
      id: string | null;
      previous: Recording | null;
      since: number;
      recorded: number;
      paused: boolean;
      marks: readonly Mark[];
    }
  | { phase: 'stopping'; previous: Recording | null; recorded: number }
  | { phase: 'recorded'; recording: Recording | RecoveredRecording };

/** A warning during a recording; `urgent` ones offer to stop and upload. */
export interface Notice {
  text: string;
  urgent: boolean;
}

export interface StudioState {
  camera: Camera;
  /** Why the camera or the recording stopped. */
  problem: string | null;
  /** What's said instead of the problem where a recording without a camera may work. */
  voiceOffer: string | null;
  /** A warning that doesn't stop the recording, such as a full device. */
  notice: Notice | null;
  /** Recordings from earlier visits that haven't been uploaded, newest first. */
  recovered: readonly RecoveredRecording[];
  /** A file chosen instead of the recording, which comes back if it's removed. */
  file: File | null;
}

export type StudioEvent =
  | { type: 'asked' }
  | { type: 'late' }
  | { type: 'counted'; left: number }
  | { type: 'cancelled' }
  | { type: 'refused'; problem: string; voiceOffer: string | null }
  | { type: 'problem-changed'; problem: string | null; voiceOffer?: string | null }
  | { type: 'started'; at: number; id: string | null }
  | { type: 'marked'; mark: Mark }
  | { type: 'paused'; at: number }
  | { type: 'resumed'; at: number }
  | { type: 'stopped'; at: number }
  | { type: 'finished'; recording: Recording; problem?: string | null }
  | { type: 'failed'; problem: string }
  | { type: 'noticed'; notice: Notice | null }
  | { type: 'found'; recordings: readonly RecoveredRecording[] }
  | { type: 'recording-removed'; recording: Recording }
  | { type: 'restored'; recording: Recording | RecoveredRecording }
  | { type: 'question-changed'; recording: Recording; question: string | undefined }
  | { type: 'file-changed'; file: File | null };

export const INITIAL_STATE: StudioState = {
  camera: { phase: 'idle' },
  problem: null,
  voiceOffer: null,
  notice: null,
  recovered: [],
  file: null,
};

/** Returns the time recorded until `now` in milliseconds, without pauses. */
export function recordedTime(camera: Camera, now: number): number {
  if (camera.phase === 'stopping') return camera.recorded;
  if (camera.phase !== 'recording') return 0;
  return camera.recorded + (camera.paused ? 0 : Math.max(0, now - camera.since));
}

/** Returns to the previous recording, if any. */
const revertCamera = (previous: Recording | null): Camera =>
  previous ? { phase: 'recorded', recording: previous } : { phase: 'idle' };

function cameraReducer(camera: Camera, event: StudioEvent): Camera {
  const starting = camera.phase === 'asking' || camera.phase === 'counting';
  const running = camera.phase === 'recording' || camera.phase === 'stopping';
  switch (event.type) {
    case 'asked':
      if (camera.phase === 'idle') return { phase: 'asking', previous: null, late: false };
      if (camera.phase !== 'recorded') return camera;
      return { phase: 'asking', previous: camera.recording, late: false };
    case 'late':
      return camera.phase === 'asking' ? { ...camera, late: true } : camera;
    case 'counted':
      return starting ? { phase: 'counting', previous: camera.previous, left: event.left } : camera;
    case 'cancelled':
    case 'refused':
      return starting ? revertCamera(camera.previous) : camera;
    case 'started':
      if (!starting) return camera;
      return {
        phase: 'recording',
        id: event.id,
        previous: camera.previous,
        since: event.at,
        recorded: 0,
        paused: false,
        marks: [],
      };
    case 'marked':
      return camera.phase === 'recording' ? { ...camera, marks: [...camera.marks, event.mark] } : camera;
    case 'paused':
      if (camera.phase !== 'recording' || camera.paused) return camera;
      return { ...camera, recorded: recordedTime(camera, event.at), paused: true };
    case 'resumed':
      if (camera.phase !== 'recording' || !camera.paused) return camera;
      return { ...camera, since: event.at, paused: false };
    case 'stopped':
      if (camera.phase !== 'recording') return camera;
      return { phase: 'stopping', previous: camera.previous, recorded: recordedTime(camera, event.at) };
    case 'finished':
      return running ? { phase: 'recorded', recording: event.recording } : camera;
    case 'failed':
      return running ? revertCamera(camera.previous) : camera;
    case 'recording-removed':
      return camera.phase === 'recorded' && camera.recording.file === event.recording.file
        ? { phase: 'idle' }
        : camera;
    case 'restored':
      return camera.phase === 'idle' ? { phase: 'recorded', recording: event.recording } : camera;
    case 'question-changed':
      return camera.phase === 'recorded' && camera.recording.file === event.recording.file
        ? { phase: 'recorded', recording: { ...camera.recording, question: event.question } }
        : camera;
    default:
      return camera;
  }
}

/** Applies an event to the studio's state. Events that don't fit the current state are ignored. */
export function studioReducer(state: StudioState, event: StudioEvent): StudioState {
  const camera = cameraReducer(state.camera, event);
  switch (event.type) {
    case 'problem-changed':
      return { ...state, problem: event.problem, voiceOffer: event.voiceOffer ?? null };
    case 'noticed':
      return { ...state, notice: event.notice };
    case 'found': {
      const known = new Map(state.recovered.map((one) => [one.id, one]));
      // Keep the same file object for known recordings, since it may be playing.
      const keepFile = (one: RecoveredRecording) => ({ ...one, file: known.get(one.id)?.file ?? one.file });
      return { ...state, recovered: event.recordings.map(keepFile) };
    }
    case 'recording-removed':
      return { ...state, camera, recovered: state.recovered.filter(({ id }) => id !== event.recording.id) };
    case 'file-changed':
      return { ...state, file: event.file };
  }
  if (camera === state.camera) return state;
  switch (event.type) {
    case 'asked':
    case 'refused':
    case 'failed':
    case 'finished':
      return {
        ...state,
        camera,
        problem: ('problem' in event && event.problem) || null,
        voiceOffer: event.type === 'refused' ? event.voiceOffer : null,
        notice: null,
      };
    default:
      return { ...state, camera };
  }
}
