import { Shuffle, SwitchCamera } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { DevicePicker } from './device-picker';
import { canFlipCamera } from './devices';
import type { Prompts } from './prompts';
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

/** The buttons during a countdown, which Escape cancels too. */
function CountdownButtons({ actions: { skip, cancel, flip } }: { actions: Actions }) {
  const [canFlip, setCanFlip] = useState(false);
  useEffect(() => {
    void canFlipCamera().then(setCanFlip);
  }, []);
  // Before the first paint: Escape works from the moment the buttons show.
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

function PromptButtons({ prompts: { text, another, show, hide } }: { prompts: Prompts }) {
  if (!text)
    return (
      <Button size="sm" variant="ghost" onClick={show}>
        Show a prompt
      </Button>
    );
  return (
    <>
      <Button size="sm" variant="ghost" onClick={another}>
        <Shuffle className="size-4" aria-hidden="true" />
        Another prompt
      </Button>
      <Button size="sm" variant="ghost" onClick={hide}>
        Hide prompt
      </Button>
    </>
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
