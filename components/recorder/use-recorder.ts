'use client';

import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react';
import { cameraProblem, NOTHING_RECORDED } from './camera-problems';
import { type Countdown, countDown, wantsCountdown } from './countdown';
import { halt, isLive, openCamera, rememberedDevices, turnAround } from './devices';
import type { Recording, StudioEvent } from './recorder-state';
import type { RecordingSink } from './recording-sink';
import { dropLocalCopy, type LocalCopy } from './recording-store';
import { beginTake, type Take } from './take';
import { useWakeLock } from './use-wake-lock';

/** A camera that has not opened by then may never do so; milliseconds. */
const LATE_AFTER = 5000;

/**
 * Runs the camera and the recorder and reports what happens as studio events.
 * @param owner the account that the safety copy belongs to
 * @param sink gets every slice too; a recording keeps the sink that it began with
 */
export function useRecorder(owner: string, dispatch: Dispatch<StudioEvent>, sink?: RecordingSink) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const camera = useRef<MediaStream | null>(null);
  /** Counts the times the camera was opened or closed: who finds another number has been overtaken. */
  const turn = useRef(0);
  /** Counts the starts, and their cancelling: what an earlier one hears from a slow camera changes nothing more. */
  const attempt = useRef(0);
  const counting = useRef<Countdown | null>(null);
  const take = useRef<Take | null>(null);
  /** The safety copy of what was recorded last; this page's until it is left. */
  const kept = useRef<LocalCopy | null>(null);
  const latestSink = useRef(sink);
  useEffect(() => {
    latestSink.current = sink;
  }, [sink]);
  useWakeLock(stream !== null);

  const close = useCallback(() => {
    turn.current += 1;
    if (camera.current) halt(camera.current);
    camera.current = null;
    setStream(null);
  }, []);

  /** Opens the remembered camera, in place of one that is open. Null when it was closed again meanwhile. */
  const open = useCallback(async () => {
    // Many phones cannot open one camera while another one runs.
    close();
    const mine = turn.current;
    const opened = await openCamera(rememberedDevices());
    if (turn.current !== mine) {
      halt(opened);
      return null;
    }
    camera.current = opened;
    setStream(opened);
    return opened;
  }, [close]);

  const begin = useCallback(
    async (opened: MediaStream, previous: Recording | null) => {
      // It may have been unplugged since it was opened.
      if (!isLive(opened)) throw new DOMException('', 'NotFoundError');
      const mine = turn.current;
      const begun = await beginTake(owner, opened, latestSink.current, {
        noticed: (notice) => dispatch({ type: 'noticed', notice }),
        ended(recording, problem, copy) {
          take.current = null;
          close();
          if (!recording) return dispatch({ type: 'lost', problem: problem ?? NOTHING_RECORDED });
          kept.current = copy;
          if (previous?.id) dropLocalCopy(previous.id).catch(() => {});
          dispatch({ type: 'finished', recording, problem });
        },
      });
      if (turn.current !== mine) {
        begun.abandon();
        return dispatch({ type: 'cancelled' });
      }
      take.current = begun;
      dispatch({ type: 'started', at: performance.now() });
    },
    [owner, dispatch, close],
  );

  /** Asks for the camera, counts down and starts; `previous` is the recording that the new one replaces. */
  const start = useCallback(
    async (previous: Recording | null) => {
      attempt.current += 1;
      const mine = attempt.current;
      dispatch({ type: 'asked' });
      const late = setTimeout(() => dispatch({ type: 'late' }), LATE_AFTER);
      try {
        for (;;) {
          const opened = camera.current && isLive(camera.current) ? camera.current : await open();
          clearTimeout(late);
          if (attempt.current !== mine) return;
          if (!opened) return dispatch({ type: 'cancelled' });
          if (wantsCountdown()) {
            counting.current = countDown((left) => dispatch({ type: 'counted', left }));
            const wanted = await counting.current.done;
            counting.current = null;
            if (!wanted) return;
          }
          // It was turned around meanwhile: look at the new picture first.
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
    take.current?.stop();
    dispatch({ type: 'stopped', at: performance.now() });
  }, [dispatch]);

  const pause = useCallback(() => {
    take.current?.pause();
    dispatch({ type: 'paused', at: performance.now() });
  }, [dispatch]);

  const resume = useCallback(() => {
    take.current?.resume();
    dispatch({ type: 'resumed', at: performance.now() });
  }, [dispatch]);

  const skip = useCallback(() => counting.current?.end(true), []);

  const cancel = useCallback(() => {
    attempt.current += 1;
    counting.current?.end(false);
    close();
    dispatch({ type: 'cancelled' });
  }, [close, dispatch]);

  /** Takes the camera on the other side, and counts down again. A recording cannot change its camera. */
  const flip = useCallback(() => {
    turnAround();
    close();
    counting.current?.end(true);
  }, [close]);

  /** Ends a look at the picture; a recording goes on. */
  const lookAway = useCallback(() => {
    if (!take.current) close();
  }, [close]);

  useEffect(
    () => () => {
      counting.current?.end(false);
      take.current?.abandon();
      close();
      kept.current?.release();
    },
    [close],
  );

  return { stream, start, stop, pause, resume, skip, cancel, flip, look: open, lookAway };
}
