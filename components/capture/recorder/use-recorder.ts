'use client';

import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { cameraProblem, flipCamera, getSavedDevices, isLive, openCamera, stopTracks } from './devices';
import { discardRecording } from './discard-recording';
import type { Recording, StudioEvent } from './recorder-state';
import { NOTHING_RECORDED } from './recording-notices';
import { type RecordingSession, type RecordingSink, startRecordingSession } from './recording-session';
import type { LocalCopy } from './recording-store';

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

interface Countdown {
  /** Resolves to whether to start recording; false if the countdown was canceled. */
  done: Promise<boolean>;
  finish(begin: boolean): void;
}

/** Counts down from three and calls `tick` with each number. */
export function startCountdown(tick: (left: number) => void): Countdown {
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
    done,
    finish(begin) {
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
 * Runs the camera and the recorder, and reports what happens as studio events.
 * @param owner the account that the local copy belongs to
 * @param sink receives every slice too, if it's given
 * @param limits what a recording stops within; the same object each time
 */
export function useRecorder(
  owner: string,
  dispatch: Dispatch<StudioEvent>,
  sink: RecordingSink | undefined,
  limits: FileLimits,
) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const camera = useRef<MediaStream | null>(null);
  /** Incremented whenever the camera opens or closes, to detect outdated async work. */
  const cameraGeneration = useRef(0);
  /** Incremented on start and cancel, so that a slow camera can't affect a later attempt. */
  const attempt = useRef(0);
  const counting = useRef<Countdown | null>(null);
  const recordingSession = useRef<RecordingSession | null>(null);
  /** The local copy of the last recording, held until the page closes. */
  const localCopy = useRef<LocalCopy | null>(null);
  useWakeLock(stream !== null);

  const close = useCallback(() => {
    cameraGeneration.current += 1;
    if (camera.current) stopTracks(camera.current);
    camera.current = null;
    setStream(null);
  }, []);

  /** Opens the saved camera instead of the open one. Returns null if it was closed in the meantime. */
  const open = useCallback(async () => {
    // Many phones can't open a camera while another one is in use.
    close();
    const generation = cameraGeneration.current;
    const opened = await openCamera(getSavedDevices());
    if (cameraGeneration.current !== generation) {
      stopTracks(opened);
      return null;
    }
    camera.current = opened;
    setStream(opened);
    return opened;
  }, [close]);

  const begin = useCallback(
    async (opened: MediaStream, previous: Recording | null) => {
      // It may have been unplugged since it opened.
      if (!isLive(opened)) throw new DOMException('', 'NotFoundError');
      const mine = cameraGeneration.current;
      const begun = await startRecordingSession(owner, opened, sink, limits, {
        onNotice: (notice) => dispatch({ type: 'noticed', notice }),
        onEnded(recording, problem, copy) {
          recordingSession.current = null;
          close();
          if (!recording) return dispatch({ type: 'failed', problem: problem ?? NOTHING_RECORDED });
          const earlier = localCopy.current;
          localCopy.current = copy;
          // Released once it's marked, or other tabs would offer it.
          const discarded = previous
            ? discardRecording(previous, 'Your earlier recording was discarded.')
            : Promise.resolve();
          void discarded.then(() => earlier?.release());
          dispatch({ type: 'finished', recording, problem });
        },
      });
      if (cameraGeneration.current !== mine) {
        begun.abandon();
        return dispatch({ type: 'cancelled' });
      }
      recordingSession.current = begun;
      dispatch({ type: 'started', at: performance.now(), id: begun.id });
    },
    [owner, dispatch, sink, limits, close],
  );

  /** Opens the camera, counts down and records; `previous` is the recording to replace. */
  const start = useCallback(
    async (previous: Recording | null) => {
      attempt.current += 1;
      const mine = attempt.current;
      dispatch({ type: 'asked' });
      const late = setTimeout(() => dispatch({ type: 'late' }), SLOW_CAMERA_DELAY);
      try {
        for (;;) {
          const opened = camera.current && isLive(camera.current) ? camera.current : await open();
          clearTimeout(late);
          if (attempt.current !== mine) return;
          if (!opened) return dispatch({ type: 'cancelled' });
          if (isCountdownEnabled()) {
            counting.current = startCountdown((left) => dispatch({ type: 'counted', left }));
            const wanted = await counting.current.done;
            counting.current = null;
            if (!wanted) return;
          }
          // The camera was switched during the countdown: start over with the new one.
          if (camera.current !== opened) continue;
          return await begin(opened, previous);
        }
      } catch (error) {
        clearTimeout(late);
        if (attempt.current !== mine) return;
        close();
        dispatch({ type: 'refused', problem: cameraProblem(error) });
      }
    },
    [begin, open, close, dispatch],
  );

  const stop = useCallback(() => {
    recordingSession.current?.stop();
    dispatch({ type: 'stopped', at: performance.now() });
  }, [dispatch]);

  const pause = useCallback(() => {
    recordingSession.current?.pause();
    dispatch({ type: 'paused', at: performance.now() });
  }, [dispatch]);

  const resume = useCallback(() => {
    recordingSession.current?.resume();
    dispatch({ type: 'resumed', at: performance.now() });
  }, [dispatch]);

  const skip = useCallback(() => counting.current?.finish(true), []);

  const cancel = useCallback(() => {
    attempt.current += 1;
    counting.current?.finish(false);
    close();
    dispatch({ type: 'cancelled' });
  }, [close, dispatch]);

  /** Switches cameras and restarts the countdown. Not possible during a recording. */
  const flip = useCallback(() => {
    flipCamera();
    close();
    counting.current?.finish(true);
  }, [close]);

  /** Opens the camera to look before recording. If that fails, the studio says why. */
  const look = useCallback(async () => {
    const problem = await open().then(() => null, cameraProblem);
    dispatch({ type: 'problem-changed', problem });
  }, [open, dispatch]);

  /** Ends the preview, but not a recording. */
  const stopPreview = useCallback(() => {
    if (!recordingSession.current) close();
  }, [close]);

  useEffect(
    () => () => {
      counting.current?.finish(false);
      recordingSession.current?.abandon();
      close();
      localCopy.current?.release();
    },
    [close],
  );

  return { stream, start, stop, pause, resume, skip, cancel, flip, startPreview: open, look, stopPreview };
}
