/** A finished recording. `id` names its copy on this device, null when none could be kept. */
export interface Recording {
  id: string | null;
  file: File;
}

/** A recording that an earlier visit left on this device. */
export interface RecoveredRecording extends Recording {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** How long it is, in milliseconds; null where that was not kept. */
  length: number | null;
}

/**
 * Where the camera stands. Times are milliseconds of one clock; `recorded` is what was recorded before `since`,
 * `left` the number that the countdown shows, `previous` the recording that a new one replaces once there is one;
 * `late` says that the camera has been waited for long enough to offer calling it off.
 */
export type Camera =
  | { phase: 'idle' }
  | { phase: 'asking'; previous: Recording | null; late: boolean }
  | { phase: 'counting'; previous: Recording | null; left: number }
  | { phase: 'recording'; previous: Recording | null; since: number; recorded: number; paused: boolean }
  | { phase: 'stopping'; previous: Recording | null; recorded: number }
  | { phase: 'recorded'; recording: Recording };

/** `urgent` where it is wise to stop and upload. */
export interface Notice {
  text: string;
  urgent: boolean;
}

export interface StudioState {
  camera: Camera;
  /** A sentence about what kept the camera or the recording from going on. */
  problem: string | null;
  /** A sentence about what goes on all the same, such as a safety copy that has stopped. */
  notice: Notice | null;
  /** Recordings of earlier visits that were never uploaded, newest first. */
  recovered: readonly RecoveredRecording[];
  /** A file chosen in place of a recording; the recording waits behind it. */
  file: File | null;
}

export type StudioEvent =
  | { type: 'asked' }
  | { type: 'late' }
  | { type: 'counted'; left: number }
  | { type: 'cancelled' }
  | { type: 'refused'; problem: string }
  | { type: 'started'; at: number }
  | { type: 'paused'; at: number }
  | { type: 'resumed'; at: number }
  | { type: 'stopped'; at: number }
  | { type: 'finished'; recording: Recording; problem?: string | null }
  | { type: 'lost'; problem: string }
  | { type: 'noticed'; notice: Notice | null }
  | { type: 'found'; recordings: readonly RecoveredRecording[] }
  | { type: 'discarded'; recording: Recording }
  | { type: 'file-chosen'; file: File }
  | { type: 'file-removed' };

export const INITIAL_STATE: StudioState = {
  camera: { phase: 'idle' },
  problem: null,
  notice: null,
  recovered: [],
  file: null,
};

/** Milliseconds recorded until `now`, pauses left out. */
export function recordedTime(camera: Camera, now: number): number {
  if (camera.phase === 'stopping') return camera.recorded;
  if (camera.phase !== 'recording') return 0;
  return camera.recorded + (camera.paused ? 0 : Math.max(0, now - camera.since));
}

/** Whether leaving the page would interrupt something or leave it unsent. */
export function shouldWarnOnLeave({ camera }: StudioState): boolean {
  return camera.phase !== 'idle';
}

/** Where the camera stands when nothing has come of it: back at the recording that there was. */
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
      return { phase: 'recording', previous: camera.previous, since: event.at, recorded: 0, paused: false };
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
    case 'lost':
      return running ? revertCamera(camera.previous) : camera;
    case 'discarded':
      return camera.phase === 'recorded' && camera.recording === event.recording ? { phase: 'idle' } : camera;
    default:
      return camera;
  }
}

/** The studio's transitions. An event that the present state has no use for changes nothing. */
export function studioReducer(state: StudioState, event: StudioEvent): StudioState {
  const camera = cameraReducer(state.camera, event);
  switch (event.type) {
    case 'asked':
      return camera === state.camera ? state : { ...state, camera, problem: null, notice: null };
    case 'refused':
    case 'lost':
      return camera === state.camera ? state : { ...state, camera, problem: event.problem, notice: null };
    case 'finished':
      if (camera === state.camera) return state;
      return { ...state, camera, problem: event.problem ?? null, notice: null };
    case 'noticed':
      return { ...state, notice: event.notice };
    case 'found': {
      const known = new Map(state.recovered.map((one) => [one.id, one]));
      // What is offered already stays the same file: it may be playing.
      return { ...state, recovered: event.recordings.map((one) => known.get(one.id) ?? one) };
    }
    case 'discarded':
      return { ...state, camera, recovered: state.recovered.filter((one) => one !== event.recording) };
    case 'file-chosen':
      return { ...state, file: event.file };
    case 'file-removed':
      return { ...state, file: null };
    default:
      return camera === state.camera ? state : { ...state, camera };
  }
}
