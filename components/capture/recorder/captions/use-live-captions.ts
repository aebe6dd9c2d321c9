import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Camera } from '@/components/capture/recorder/recorder-state';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { loadCode } from '@/components/ui/load-code';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { type CaptionsState, INITIAL_CAPTIONS } from './captions-state';
import type { LiveCaptions } from './live-captions';

const STORAGE_KEY = 'daylight-live-words';

/** Words as somebody speaks, in the studio. */
export interface StudioCaptions {
  /** Whether the user has switched them on. */
  wanted: boolean;
  setWanted(wanted: boolean): void;
  /** Null while it's off, and until its code is here. */
  live: LiveCaptions | null;
  /** Whether its code couldn't be loaded. */
  failed: boolean;
  /** Returns a recording's words once they're complete; null if it has none, or they're switched off. */
  draftOf(recordingId: string | null): Promise<DraftTranscript | null> | null;
}

/**
 * Recognizes words while somebody records, if that's wanted. Nothing is loaded before.
 * @param folder the address of the worker
 * @param isVisitor whether nobody is signed in, so that there are no names they've corrected before
 */
export function useSpeechWorker(
  { folder, wanted, isVisitor = false }: { folder: string; wanted: boolean; isVisitor?: boolean },
  camera: Camera,
  stream: MediaStream | null,
): Pick<StudioCaptions, 'live' | 'failed'> {
  const [live, setLive] = useState<LiveCaptions | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!wanted) return;
    let over = false;
    let started: LiveCaptions | null = null;
    setFailed(false);
    loadCode(() => import('./live-captions')).then(
      ({ startLiveCaptions }) => {
        if (over) return;
        started = startLiveCaptions(folder, isVisitor);
        setLive(started);
      },
      () => setFailed(!over),
    );
    return () => {
      over = true;
      started?.close();
      setLive(null);
    };
  }, [wanted, folder, isVisitor]);

  useEffect(() => live?.follow(camera, stream), [live, camera, stream]);
  return { live, failed };
}

/**
 * Shows words while somebody records, if they've switched that on.
 * @param folder the address of the worker
 */
export function useLiveCaptions(folder: string, camera: Camera, stream: MediaStream | null): StudioCaptions {
  const [wanted, setWanted] = useState(false);
  useEffect(() => setWanted(getDeviceSetting(STORAGE_KEY) === 'on'), []);
  const { live, failed } = useSpeechWorker({ folder, wanted }, camera, stream);
  return {
    wanted,
    setWanted(next) {
      setDeviceSetting(STORAGE_KEY, next ? 'on' : null);
      if (!next) live?.abort();
      setWanted(next);
    },
    live,
    failed,
    draftOf: (recordingId) => (wanted && live?.draftOf(recordingId)) || null,
  };
}

const ignore = () => () => {};

/** Returns what's been heard so far, and whether more can be. */
export const useCaptionsState = (live: LiveCaptions | null): CaptionsState =>
  useSyncExternalStore(
    live?.subscribe ?? ignore,
    () => live?.state() ?? INITIAL_CAPTIONS,
    () => INITIAL_CAPTIONS,
  );
