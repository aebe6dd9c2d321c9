import { type Dispatch, type RefObject, useEffect, useRef, useState } from 'react';
import type { LiveUploads } from '@/components/capture/uploads/transfer/live-upload';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { type Countdown, isCountdownEnabled, startCountdown } from './countdown';
import { flipCamera, getSavedDevices, isLive, openDevices, stopTracks } from './devices';
import { discardRecording } from './discard-recording';
import { openDrawnPicture } from './drawn-picture';
import type { Notice, Recording, StudioEvent } from './recorder-state';
import { NOTHING_RECORDED, WARNINGS } from './recording-notices';
import { type RecordingSession, startRecordingSession } from './recording-session';
import { explainProblem, openSources } from './recording-sources';
import type { LocalCopy, RecordingAbout } from './recording-store';
import { useWakeLock } from './use-wake-lock';

/** After this long, offer to cancel opening the camera; milliseconds. */
const SLOW_CAMERA_DELAY = 5000;

/**
 * Creates what runs the camera and the recorder.
 * @param settings those of the next recording
 * @param onStream called with the open camera, and with null once it's off
 * @param onCameraOff called when the user turns the camera off for what's recorded, or on again
 */
function createRecorder(
  settings: RefObject<{ about: RecordingAbout; sink: LiveUploads | undefined; limits: FileLimits }>,
  dispatch: Dispatch<StudioEvent>,
  onStream: (stream: MediaStream | null) => void,
  onCameraOff: (isOff: boolean) => void,
) {
  /** What's recorded: the microphone, and the camera or a drawn picture. */
  let camera: MediaStream | null = null;
  let isOff = false;
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

  /** Opens what's recorded instead of what's open. Returns null if it was closed in the meantime. */
  async function open(): Promise<MediaStream | null> {
    // Many phones can't open a camera while another one is in use.
    close();
    const generation = cameraGeneration;
    const opened = await openSources(isOff);
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

  const explain = (error: unknown) => explainProblem(error, isOff);

  function setCameraOff(off: boolean): void {
    isOff = off;
    onCameraOff(off);
  }

  /** Turns the camera of the recording that's going on off or on. */
  async function replacePicture(recorded: RecordingSession, off: boolean): Promise<void> {
    const [microphone] = camera?.getAudioTracks() ?? [];
    if (!camera || !microphone) return;
    if (off) {
      recorded.replacePicture(openDrawnPicture(microphone, camera.getVideoTracks()[0]));
      return setCameraOff(true);
    }
    const opened = await openDevices(getSavedDevices(), 'camera').catch(() => null);
    const [track] = opened?.getVideoTracks() ?? [];
    // It was pressed twice, or the recording has ended.
    if (session !== recorded || !isOff) track?.stop();
    else if (track) {
      recorded.replacePicture(track);
      setCameraOff(false);
    } else dispatch({ type: 'noticed', notice: WARNINGS.cameraStaysOff });
  }

  /** Opens the camera to look before recording. If that fails, the studio says why. */
  async function look(): Promise<void> {
    const explained = await open().then(() => ({ problem: null }), explain);
    dispatch({ type: 'problem-changed', ...explained });
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
        const explained = await explain(error);
        if (attempt !== mine) return;
        close();
        dispatch({ type: 'refused', ...explained });
      }
    },
    stop: tell('stop', 'stopped'),
    pause: tell('pause', 'paused'),
    resume: tell('resume', 'resumed'),
    /** Marks this moment of the recording. */
    mark(): void {
      const mark = session?.mark();
      if (mark) dispatch({ type: 'marked', mark });
    },
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
    look,
    /** Turns the camera off, or on again: for the next recording, or for the one that's going on. */
    switchCamera(): void {
      if (session) return void replacePicture(session, !isOff);
      setCameraOff(!isOff);
      const wasOpen = camera !== null;
      close();
      // A countdown opens it by itself when it starts over.
      if (counting) counting.finish(true);
      else if (wasOpen) void look();
      else dispatch({ type: 'problem-changed', problem: null });
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
  /** Whether recordings are made without the camera, until this page closes. */
  const [isCameraOff, setCameraOff] = useState(false);
  const [recorder] = useState(() => createRecorder(settings, dispatch, setStream, setCameraOff));
  useWakeLock(stream !== null);
  useEffect(() => recorder.dispose, [recorder]);
  return { stream, isCameraOff, ...recorder };
}
