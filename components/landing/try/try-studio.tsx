import { Lock } from 'lucide';
import { useEffect, useReducer, useRef, useState } from 'react';
import {
  captionsProblemText,
  type HeardWords,
  recordingKey,
} from '@/components/capture/recorder/captions/captions-state';
import { useCaptionsState, useSpeechWorker } from '@/components/capture/recorder/captions/use-live-captions';
import { INITIAL_STATE, type Recording, studioReducer } from '@/components/capture/recorder/recorder-state';
import { deleteLocalCopy, deleteOldRecordings, VISITOR } from '@/components/capture/recorder/recording-store';
import { useRecorder } from '@/components/capture/recorder/use-recorder';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { loadCode } from '@/components/ui/load-code';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { TryRecording } from './try-recording';
import { WordsAndVideo } from './words-and-video';

/** Returns an address for a file that this page made, while it's shown. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** Shows what a visitor recorded and said, and how to keep it. */
function TryResult({
  recording: { id, file },
  heard,
  problem,
  offersSignup,
  onAgain,
  onDelete,
}: {
  recording: Recording;
  heard: HeardWords | null;
  /** Why there are no words. */
  problem: string | null;
  offersSignup: boolean;
  onAgain: () => void;
  onDelete: () => void;
}) {
  const src = useObjectUrl(file);
  const isPending = heard !== null && !heard.done;
  // Without a saved copy, there'd be nothing left of it after signing up.
  const next = id && encodeURIComponent(`/upload?keep=${id}`);
  return (
    <div className="flex min-h-0 grow flex-col gap-3">
      <div className="flex min-h-0 grow flex-col gap-3">
        {src && (
          <WordsAndVideo src={src} label="Your recording" words={heard?.draft?.words ?? []}>
            <p role="status" className="px-1.5 py-3 text-15 text-ink-2">
              {isPending
                ? 'Writing down your words…'
                : (problem ?? 'We didn’t hear any words. You can try again.')}
            </p>
          </WordsAndVideo>
        )}
      </div>
      <p className="flex items-start gap-1.5 px-1.5 text-14 text-ink-2">
        <Icon of={Lock} className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
        {heard?.draft
          ? 'Only on this device so far. Select a word to play from there.'
          : 'Only on this device so far.'}
      </p>
      <div className="flex flex-wrap gap-2.5 px-1.5 pb-1">
        {next && offersSignup && (
          <ButtonLink href={`/signup?next=${next}`} prefetch={false}>
            Keep it
          </ButtonLink>
        )}
        {next && (
          <ButtonLink
            href={`/login?next=${next}`}
            prefetch={false}
            variant={offersSignup ? 'ghost' : 'primary'}
          >
            {offersSignup ? 'I have an account' : 'Log in to keep it'}
          </ButtonLink>
        )}
        <Button variant="secondary" onClick={onAgain}>
          Start over
        </Button>
        <Button variant="ghost" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </div>
  );
}

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
  const { stream, start, stop, skip, cancel } = useRecorder({ owner: VISITOR }, dispatch, undefined, LIMITS);
  const { camera } = state;
  const [hasCamera, setHasCamera] = useState(false);
  if (stream && !hasCamera) setHasCamera(true);
  // Without a camera there's nothing to hear, so nothing is downloaded.
  const { live, failed } = useSpeechWorker(
    { folder: speech.folder, wanted: hasCamera, isVisitor: true },
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
    // A recording that begins before this code is here gets no words.
    loadCode(() => import('@/components/capture/recorder/captions/live-captions')).catch(() => {});
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
      loading={loading && hasCamera && !failed ? { ...loading, total: loading.total || speech.bytes } : null}
      problem={shownProblem && captionsProblemText(shownProblem)}
      actions={{ start: () => void start(null), stop, skip, cancel, showSample: onSample }}
    />
  );
}
