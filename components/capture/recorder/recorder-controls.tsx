import { Circle, Pause, Play, Settings2, Square, SwitchCamera } from 'lucide';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { DevicePicker } from './device-picker';
import { canFlipCamera } from './devices';
import type { Layout } from './layouts/layouts';
import type { StudioState } from './recorder-state';
import type { useRecorder } from './use-recorder';

type Actions = Omit<ReturnType<typeof useRecorder>, 'stream' | 'start'> & { start(): void; upload(): void };

/** Shows the buttons during a countdown, which Escape cancels too. */
function CountdownButtons({ actions: { skip, cancel, flip }, layout }: { actions: Actions; layout: Layout }) {
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
      <Button size="lg" variant="rec" className={layout.primary} onClick={skip}>
        Skip countdown
      </Button>
      <Button size="lg" variant="secondary" onClick={cancel}>
        Cancel
      </Button>
      {canFlip && (
        <Button size="lg" variant="secondary" onClick={flip}>
          <Icon of={SwitchCamera} className="size-5" aria-hidden="true" />
          Switch camera
        </Button>
      )}
    </>
  );
}

function RecordingButtons({
  state: { camera, file },
  actions,
  layout,
}: {
  state: StudioState;
  actions: Actions;
  layout: Layout;
}) {
  const upload = (
    <Button key="upload" size="lg" onClick={actions.upload}>
      Upload Video
    </Button>
  );
  if (file) return upload;
  const isPaused = camera.phase === 'recording' && camera.paused;
  switch (camera.phase) {
    case 'idle':
    case 'asking':
      return (
        <>
          <Button size="lg" variant="rec" busy={camera.phase === 'asking'} onClick={actions.start}>
            {camera.phase === 'idle' && (
              <Icon of={Circle} className="size-3 fill-current" aria-hidden="true" />
            )}
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
      return <CountdownButtons actions={actions} layout={layout} />;
    case 'recording':
    case 'stopping':
      return (
        <>
          <Button
            key="pause"
            size="lg"
            variant="secondary"
            disabled={camera.phase === 'stopping'}
            onClick={isPaused ? actions.resume : actions.pause}
          >
            {isPaused ? (
              <Icon of={Play} className="size-4 fill-current" aria-hidden="true" />
            ) : (
              <Icon of={Pause} className="size-4 fill-current" aria-hidden="true" />
            )}
            <span className={layout.label}>{isPaused ? 'Resume' : 'Pause'}</span>
          </Button>
          <Button
            key="camera"
            size="lg"
            variant="rec"
            className={layout.primary}
            busy={camera.phase === 'stopping'}
            onClick={actions.stop}
          >
            {camera.phase === 'recording' && (
              <Icon of={Square} className="size-3.5 fill-current" aria-hidden="true" />
            )}
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

/**
 * Shows the actions for the current phase of the camera.
 * @param fileDrop what chooses a file instead, where that can be done
 * @param saved says where the recording is saved meanwhile
 */
export function RecorderControls({
  state,
  stream,
  actions,
  layout,
  fileDrop,
  saved,
}: {
  state: StudioState;
  stream: MediaStream | null;
  actions: Actions;
  layout: Layout;
  fileDrop: ReactNode;
  saved: ReactNode;
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
  const { stopPreview } = actions;
  const isChosen = state.file !== null;
  useEffect(() => {
    if (isChosen) stopPreview();
  }, [isChosen, stopPreview]);
  useEffect(() => stopPreview, [stopPreview]);
  const finished = isChosen || phase === 'recorded';
  const atRest = !isChosen && (phase === 'idle' || phase === 'recorded');

  function toggleDevices() {
    setChoosing(!choosing);
    if (choosing && stream) stopPreview();
  }

  return (
    <>
      <div ref={dock} className={layout.dock}>
        <div className={layout.main}>
          <RecordingButtons state={state} actions={actions} layout={layout} />
        </div>
        {saved}
        {!finished && (
          <div className={layout.tools}>
            {atRest && (
              <Button
                size="lg"
                variant="secondary"
                aria-expanded={choosing}
                onClick={toggleDevices}
                className={layout.camera}
              >
                <Icon of={Settings2} className="size-5 shrink-0" aria-hidden="true" />
                <span className={layout.label}>Camera & microphone</span>
              </Button>
            )}
            {fileDrop}
          </div>
        )}
      </div>
      {atRest && choosing && !finished && (
        <div className={layout.devices}>
          <DevicePicker startPreview={actions.startPreview} />
        </div>
      )}
    </>
  );
}
