import { SwitchCamera } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import type { LiveUpload, LiveUploadState } from '@/components/uploads/transfer/live-upload';
import { DevicePicker } from './device-picker';
import { CAMERA_NOT_RESPONDING, canFlipCamera } from './devices';
import { PromptButtons, type Prompts } from './prompts';
import type { StudioState } from './recorder-state';

interface Actions {
  start: () => void;
  stop: () => void;
  pause: () => void;
  resume: () => void;
  skip: () => void;
  cancel: () => void;
  flip: () => void;
  startPreview: () => Promise<unknown>;
  stopPreview: () => void;
  upload: () => void;
}

/** Shows the buttons during a countdown, which Escape cancels too. */
function CountdownButtons({ actions: { skip, cancel, flip } }: { actions: Actions }) {
  const [canFlip, setCanFlip] = useState(false);
  useEffect(() => {
    void canFlipCamera().then(setCanFlip);
  }, []);
  // Runs before the first paint, so that Escape works as soon as the buttons show.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && cancel();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [cancel]);
  return (
    <>
      <Button size="lg" variant="rec" onClick={skip}>
        Skip countdown
      </Button>
      <Button size="lg" variant="secondary" onClick={cancel}>
        Cancel
      </Button>
      {canFlip && (
        <Button size="lg" variant="secondary" onClick={flip}>
          <SwitchCamera className="size-5" aria-hidden="true" />
          Switch camera
        </Button>
      )}
    </>
  );
}

function RecordingButtons({ state: { camera, file }, actions }: { state: StudioState; actions: Actions }) {
  const upload = (
    <Button key="upload" size="lg" onClick={actions.upload}>
      Upload Video
    </Button>
  );
  if (file) return upload;
  switch (camera.phase) {
    case 'idle':
    case 'asking':
      return (
        <>
          <Button size="lg" variant="rec" busy={camera.phase === 'asking'} onClick={actions.start}>
            Start Recording
          </Button>
          {camera.phase === 'asking' && camera.late && (
            <Button size="lg" variant="secondary" onClick={actions.cancel}>
              Cancel
            </Button>
          )}
        </>
      );
    case 'counting':
      return <CountdownButtons actions={actions} />;
    case 'recording':
    case 'stopping':
      return (
        <>
          <Button
            key="pause"
            size="lg"
            variant="secondary"
            disabled={camera.phase === 'stopping'}
            onClick={camera.phase === 'recording' && camera.paused ? actions.resume : actions.pause}
          >
            {camera.phase === 'recording' && camera.paused ? 'Resume' : 'Pause'}
          </Button>
          <Button
            key="camera"
            size="lg"
            variant="rec"
            busy={camera.phase === 'stopping'}
            onClick={actions.stop}
          >
            Stop Recording
          </Button>
        </>
      );
    case 'recorded':
      return (
        <>
          {upload}
          <Button key="again" size="lg" variant="secondary" onClick={actions.start}>
            Start New Recording
          </Button>
        </>
      );
  }
}

/** Shows what went wrong and warnings during a recording, with a way to stop and upload for urgent ones. */
export function Notices({
  state: { camera, problem, notice },
  onStop,
  onUpload,
}: {
  state: StudioState;
  onStop: () => void;
  onUpload: () => void;
}) {
  const [uploading, setUploading] = useState(false);
  const upload = useEffectEvent(onUpload);
  useEffect(() => {
    if (!uploading || camera.phase !== 'recorded') return;
    setUploading(false);
    upload();
  }, [uploading, camera.phase]);
  const shown =
    camera.phase === 'asking' && camera.late ? { text: CAMERA_NOT_RESPONDING, urgent: false } : notice;
  return (
    <>
      {problem && (
        <p role="alert" className="rounded-12 border border-line bg-surface p-4 text-15">
          {problem}
        </p>
      )}
      {/* Out of the layout while empty: a live region must exist before its text changes. */}
      <div role="status" className={shown ? '' : 'absolute'}>
        {shown && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-12 border border-line bg-surface p-4 text-15">
            <p className="min-w-0 grow basis-72">{shown.text}</p>
            {shown.urgent && camera.phase === 'recording' && (
              <Button
                variant="secondary"
                onClick={() => {
                  setUploading(true);
                  onStop();
                }}
              >
                Stop and upload
              </Button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const MESSAGES: Record<Extract<LiveUploadState, string>, string> = {
  none: '',
  short: '',
  saving: 'Saved to your account as you record.',
  full: 'Your plan is full. This recording is saved on this device only.',
  off: 'Saved on this device until you upload it.',
};

/** Shows whether the recording is being saved to the account. */
export function LiveUploadStatus({ live }: { live: LiveUpload }) {
  const state = useSyncExternalStore(live.subscribe, live.state, (): LiveUploadState => 'none');
  return (
    <p role="status" className="min-h-5 text-center text-14 text-ink-2">
      {typeof state === 'string' ? MESSAGES[state] : state.sentence}
    </p>
  );
}

/** Shows the actions for the current phase of the camera. */
export function RecorderControls({
  state,
  actions,
  prompts,
}: {
  state: StudioState;
  actions: Actions;
  prompts: Prompts;
}) {
  const [choosing, setChoosing] = useState(false);
  const dock = useRef<HTMLDivElement>(null);
  const phase = state.camera.phase;
  const known = useRef(phase);
  useEffect(() => {
    if (known.current === phase) return;
    known.current = phase;
    if (phase === 'recording') setChoosing(false);
    // The focused button may have gone with its phase: restore focus.
    if (document.activeElement === document.body) dock.current?.querySelector('button')?.focus();
  }, [phase]);
  const finished = state.file !== null || phase === 'recorded';
  const atRest = !state.file && (phase === 'idle' || phase === 'recorded');
  const looking = atRest && choosing && !finished;
  const { startPreview, stopPreview } = actions;
  useEffect(() => {
    if (phase === 'idle' && !looking) stopPreview();
  }, [phase, looking, stopPreview]);
  useEffect(() => stopPreview, [stopPreview]);
  return (
    <div ref={dock} className="flex flex-col items-center gap-3">
      <div className="flex flex-wrap justify-center gap-3">
        <RecordingButtons state={state} actions={actions} />
        {atRest && (
          <Button
            size="lg"
            variant="secondary"
            aria-expanded={choosing}
            onClick={() => setChoosing((shown) => !shown)}
          >
            Camera & microphone
          </Button>
        )}
      </div>
      {!finished && (
        <div className="flex flex-wrap justify-center gap-1">
          <PromptButtons prompts={prompts} />
        </div>
      )}
      {atRest && choosing && <DevicePicker startPreview={looking ? startPreview : null} />}
    </div>
  );
}
