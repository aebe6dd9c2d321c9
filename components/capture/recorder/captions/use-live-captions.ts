import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Camera, Recording, RecoveredRecording } from '@/components/capture/recorder/recorder-state';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { loadCode } from '@/components/ui/load-code';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { type CaptionsState, type HeardWords, INITIAL_CAPTIONS, recordingKey } from './captions-state';
import type { LiveCaptions } from './live-captions';

const STORAGE_KEY = 'daylight-live-words';

/** Words as somebody speaks, in the studio. */
export type StudioCaptions = ReturnType<typeof useLiveCaptions>;

/**
 * Recognizes words while somebody records, if that's wanted. Nothing is loaded before.
 * @param folder the address of the worker
 * @param isVisitor whether nobody is signed in, so that there are no names they've corrected before
 */
export function useSpeechWorker(
  { folder, wanted, isVisitor = false }: { folder: string; wanted: boolean; isVisitor?: boolean },
  camera: Camera,
  stream: MediaStream | null,
) {
  /** Null while it's off, and until its code is here. */
  const [live, setLive] = useState<LiveCaptions | null>(null);
  /** Whether its code couldn't be loaded. */
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
export function useLiveCaptions(folder: string, camera: Camera, stream: MediaStream | null) {
  /** Whether the user has switched them on. */
  const [wanted, setWanted] = useState(false);
  useEffect(() => setWanted(getDeviceSetting(STORAGE_KEY) === 'on'), []);
  const { live, failed } = useSpeechWorker({ folder, wanted }, camera, stream);
  return {
    wanted,
    setWanted(next: boolean): void {
      setDeviceSetting(STORAGE_KEY, next ? 'on' : null);
      if (!next) live?.abort();
      setWanted(next);
    },
    live,
    failed,
    /** Returns a recording's words once they're complete; null if it has none, or they're switched off. */
    draftOf: (recordingId: string | null): Promise<DraftTranscript | null> | null =>
      (wanted && live?.draftOf(recordingId)) || null,
  };
}

const ignore = () => () => {};

/** Returns what's been heard so far, and whether more can be. */
export const useCaptionsState = (live: LiveCaptions | null): CaptionsState =>
  useSyncExternalStore(
    live?.state.subscribe ?? ignore,
    () => live?.state.get() ?? INITIAL_CAPTIONS,
    () => INITIAL_CAPTIONS,
  );

/** Returns what was heard in a recording, if words are switched on or were saved with it. */
export function useHeardWords(
  { live, wanted }: StudioCaptions,
  recording: Recording | RecoveredRecording | null,
): HeardWords | null {
  const { heard } = useCaptionsState(live);
  if (recording && 'words' in recording)
    return recording.words && { draft: recording.words.draft, done: true };
  return (wanted && recording && heard.get(recordingKey(recording.id))) || null;
}
