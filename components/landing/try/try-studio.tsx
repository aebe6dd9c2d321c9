import { useEffect, useReducer, useRef, useState } from 'react';
import { captionsProblemText, recordingKey } from '@/components/capture/recorder/captions/captions-state';
import { useCaptionsState, useSpeechWorker } from '@/components/capture/recorder/captions/use-live-captions';
import { INITIAL_STATE, type Recording, studioReducer } from '@/components/capture/recorder/recorder-state';
import { deleteLocalCopy, deleteOldRecordings, VISITOR } from '@/components/capture/recorder/recording-store';
import { useRecorder } from '@/components/capture/recorder/use-recorder';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { TryRecording } from './try-recording';
import { TryResult } from './try-result';

/** Three minutes, in bytes that a recorder hardly makes of them. */
const LIMITS = { bytes: 500_000_000, seconds: 180 };

/** As long as a link that verifies an account works, in milliseconds: whoever keeps a recording has to open that first. */
const KEPT_FOR = 72 * 60 * 60 * 1000;

/** Records up to three minutes on the landing page, without an account. Nothing of it leaves the device. */
export function TryStudio({
  speech,
  offersSignup,
  onSample,
}: {
  speech: BrowserSpeech;
  offersSignup: boolean;
  onSample: () => void;
}) {
  const [state, dispatch] = useReducer(studioReducer, INITIAL_STATE);
  const { stream, start, stop, skip, cancel } = useRecorder(VISITOR, dispatch, undefined, LIMITS);
  const { camera } = state;
  const { live, failed } = useSpeechWorker(
    { folder: speech.folder, wanted: true, isVisitor: true },
    camera,
    stream,
  );
  const { captions, heard, loading, problem } = useCaptionsState(live);
  const [isStarted, setStarted] = useState(false);
  const shownProblem = failed ? 'download' : problem;
  const recording = camera.phase === 'recorded' ? camera.recording : null;

  useEffect(() => {
    if (isStarted) return;
    setStarted(true);
    deleteOldRecordings(VISITOR, Date.now() - KEPT_FOR).catch(() => {});
    void start(null);
  }, [isStarted, start]);

  const last = useRef<string | null>(null);
  useEffect(() => {
    if (!recording) return;
    // A new one replaces the one before.
    if (last.current && last.current !== recording.id) deleteLocalCopy(last.current).catch(() => {});
    last.current = recording.id;
  }, [recording]);

  function remove(discarded: Recording) {
    dispatch({ type: 'recording-removed', recording: discarded });
    last.current = null;
    if (discarded.id) deleteLocalCopy(discarded.id).catch(() => {});
  }

  if (recording)
    return (
      <TryResult
        recording={recording}
        heard={heard.get(recordingKey(recording.id)) ?? null}
        problem={shownProblem && captionsProblemText(shownProblem)}
        offersSignup={offersSignup}
        onAgain={() => void start(null)}
        onDelete={() => remove(recording)}
      />
    );
  return (
    <TryRecording
      state={state}
      stream={stream}
      captions={captions}
      loading={loading ?? (live || failed ? null : { loaded: 0, total: speech.bytes })}
      problem={shownProblem && captionsProblemText(shownProblem)}
      actions={{ start: () => void start(null), stop, skip, cancel, showSample: onSample }}
    />
  );
}
