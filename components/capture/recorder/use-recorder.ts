import { type Dispatch, type RefObject, useEffect, useRef, useState } from 'react';
import type { LiveUploads } from '@/components/capture/uploads/transfer/live-upload';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { cameraProblem, flipCamera, getSavedDevices, isLive, openCamera, stopTracks } from './devices';
import { discardRecording } from './discard-recording';
import type { Notice, Recording, StudioEvent } from './recorder-state';
import { NOTHING_RECORDED } from './recording-notices';
import { type RecordingSession, startRecordingSession } from './recording-session';
import type { LocalCopy, RecordingAbout } from './recording-store';

/** After this long, offer to cancel opening the camera; milliseconds. */
const SLOW_CAMERA_DELAY = 5000;

const COUNTDOWN_KEY = 'daylight-countdown';
/** The first number, and how long each one shows, in milliseconds. */
const COUNT_FROM = 3;
const TICK_INTERVAL = 800;

/** Returns whether recordings start with a countdown on this device; on by default. */
export const isCountdownEnabled = (): boolean => getDeviceSetting(COUNTDOWN_KEY) !== 'off';
export const setCountdownEnabled = (wanted: boolean): void =>
  setDeviceSetting(COUNTDOWN_KEY, wanted ? null : 'off');

type Countdown = ReturnType<typeof startCountdown>;

/** Counts down from three and calls `tick` with each number. */
export function startCountdown(tick: (left: number) => void) {
  let resolve: (begin: boolean) => void = () => {};
  const done = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  let timer: ReturnType<typeof setTimeout>;
  const step = (left: number) => {
    if (left === 0) return resolve(true);
    tick(left);
    timer = setTimeout(step, TICK_INTERVAL, left - 1);
  };
  step(COUNT_FROM);
  return {
    /** Resolves to whether to start recording; false if the countdown was canceled. */
    done,
    finish(begin: boolean): void {
      clearTimeout(timer);
      resolve(begin);
    },
  };
}

/** Keeps the screen awake while `active`. Browsers drop the lock when the page is hidden, so this takes it again. */
function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let lock: WakeLockSentinel | null | undefined;
    let over = false;
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock?.request('screen').catch(() => null);
      if (over) await lock?.release();
    };
    void acquire();
    document.addEventListener('visibilitychange', acquire);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', acquire);
      void lock?.release();
    };
  }, [active]);
}

/**
 * Creates what runs the camera and the recorder.
 * @param settings those of the next recording
 * @param onStream called with the open camera, and with null once it's off
 */
function createRecorder(
  settings: RefObject<{ about: RecordingAbout; sink: LiveUploads | undefined; limits: FileLimits }>,
  dispatch: Dispatch<StudioEvent>,
  onStream: (stream: MediaStream | null) => void,
) {
  let camera: MediaStream | null = null;
  /** Incremented whenever the camera opens or closes, to detect outdated async work. */
  let cameraGeneration = 0;
  /** Incremented on start and cancel, so that a slow camera can't affect a later attempt. */
  let attempt = 0;
  let counting: Countdown | null = null;
  let session: RecordingSession | null = null;
  /** The local copy of the last recording, held until the page closes. */
  let localCopy: LocalCopy | null = null;

  function close(): void {
    cameraGeneration += 1;
    if (camera) stopTracks(camera);
    camera = null;
    onStream(null);
  }

  /** Opens the saved camera instead of the open one. Returns null if it was closed in the meantime. */
  async function open(): Promise<MediaStream | null> {
    // Many phones can't open a camera while another one is in use.
    close();
    const generation = cameraGeneration;
    const opened = await openCamera(getSavedDevices());
    if (cameraGeneration !== generation) {
      stopTracks(opened);
      return null;
    }
    camera = opened;
    onStream(opened);
    return opened;
  }

  async function begin(opened: MediaStream, previous: Recording | null): Promise<void> {
    // It may have been unplugged since it opened.
    if (!isLive(opened)) throw new DOMException('', 'NotFoundError');
    const generation = cameraGeneration;
    const { about, sink, limits } = settings.current;
    const onNotice = (notice: Notice | null) => dispatch({ type: 'noticed', notice });
    const begun = await startRecordingSession(
      about,
      opened,
      sink,
      limits,
      onNotice,
      (recording, problem, copy) => {
        session = null;
        close();
        if (!recording) return dispatch({ type: 'failed', problem: problem ?? NOTHING_RECORDED });
        const earlier = localCopy;
        localCopy = copy;
        // Released once it's marked, or other tabs would offer it.
        void Promise.resolve(
          previous && discardRecording(previous, 'Your earlier recording was discarded.'),
        ).then(() => earlier?.release());
        dispatch({ type: 'finished', recording, problem });
      },
    );
    if (cameraGeneration !== generation) {
      begun.abandon();
      return dispatch({ type: 'cancelled' });
    }
    session = begun;
    dispatch({ type: 'started', at: performance.now(), id: begun.id });
  }

  /** Returns a function that tells the session to do something, and the studio when it did. */
  const tell = (action: 'stop' | 'pause' | 'resume', type: 'stopped' | 'paused' | 'resumed') => (): void => {
    session?.[action]();
    dispatch({ type, at: performance.now() });
  };

  return {
    /** Opens the camera, counts down and records; `previous` is the recording to replace. */
    async start(previous: Recording | null): Promise<void> {
      attempt += 1;
      const mine = attempt;
      dispatch({ type: 'asked' });
      const late = setTimeout(() => dispatch({ type: 'late' }), SLOW_CAMERA_DELAY);
      try {
        for (;;) {
          const opened = camera && isLive(camera) ? camera : await open();
          clearTimeout(late);
          if (attempt !== mine) return;
          if (!opened) return dispatch({ type: 'cancelled' });
          if (isCountdownEnabled()) {
            counting = startCountdown((left) => dispatch({ type: 'counted', left }));
            const wanted = await counting.done;
            counting = null;
            if (!wanted) return;
          }
          // The camera was switched during the countdown: start over with the new one.
          if (camera !== opened) continue;
          return await begin(opened, previous);
        }
      } catch (error) {
        clearTimeout(late);
        if (attempt !== mine) return;
        close();
        dispatch({ type: 'refused', problem: cameraProblem(error) });
      }
    },
    stop: tell('stop', 'stopped'),
    pause: tell('pause', 'paused'),
    resume: tell('resume', 'resumed'),
    skip: (): void => counting?.finish(true),
    cancel(): void {
      attempt += 1;
      counting?.finish(false);
      close();
      dispatch({ type: 'cancelled' });
    },
    /** Switches cameras and restarts the countdown. Not possible during a recording. */
    flip(): void {
      flipCamera();
      close();
      counting?.finish(true);
    },
    startPreview: open,
    /** Opens the camera to look before recording. If that fails, the studio says why. */
    async look(): Promise<void> {
      const problem = await open().then(() => null, cameraProblem);
      dispatch({ type: 'problem-changed', problem });
    },
    /** Ends the preview, but not a recording. */
    stopPreview(): void {
      if (!session) close();
    },
    /** Ends everything when the page closes. */
    dispose(): void {
      counting?.finish(false);
      session?.abandon();
      close();
      localCopy?.release();
    },
  };
}

/**
 * Runs the camera and the recorder, and reports what happens as studio events. Its functions are always the same.
 * @param about what's known of the next recording
 * @param sink receives every slice too, if it's given
 * @param limits what a recording stops within
 */
export function useRecorder(
  about: RecordingAbout,
  dispatch: Dispatch<StudioEvent>,
  sink: LiveUploads | undefined,
  limits: FileLimits,
) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const settings = useRef({ about, sink, limits });
  useEffect(() => {
    settings.current = { about, sink, limits };
  });
  const [recorder] = useState(() => createRecorder(settings, dispatch, setStream));
  useWakeLock(stream !== null);
  useEffect(() => recorder.dispose, [recorder]);
  return { stream, ...recorder };
}
